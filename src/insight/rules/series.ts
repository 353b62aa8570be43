import { structuralRules } from '../../generated/validators.js'
import { formatDate } from '../calendar.js'
import { nameMember } from '../describe-value.js'
import type { Reading } from '../reading.js'
import type { Series } from '../series.js'
import { type CheckedRule, periodWindows, type ViolationDetails } from './rule.js'
import { checkDates, checkFuture, nameDays } from './series-checks.js'

/** Rules of the members of `metrics`: blocks, numbers and daily arrays. */
export const seriesRules: readonly CheckedRule[] = [
  structuralRules['metrics-block'],
  structuralRules['metrics-number'],
  structuralRules['activity-minutes-required'],
  structuralRules['series-array'],
  {
    id: 'series-window-length',
    severity: 'error',
    section: '2.4',
    sentence: 'Daily arrays have one entry for each day of the window.',
    good: { viewWindow: 'week', metrics: { steps: { dailySteps: [6010, 6221, 5987, 6400, 6120, null, null] } } },
    bad: { viewWindow: 'week', metrics: { steps: { dailySteps: [6010, 6221, 5987, 6400, 6120] } } },
    windows: periodWindows,
    check: ({ series, start, days }) =>
      start === undefined || days === undefined
        ? undefined
        : series.filter(({ length }) => length !== days).map((one) => describeLength(one, start, days)),
  },
  structuralRules['series-element'],
  {
    id: 'series-element-date',
    severity: 'error',
    section: '2.4',
    sentence:
      'Entry number i of a daily array has the date startDate + i; nightDate may in all entries be the evening before.',
    good: {
      period: { startDate: '2026-10-12' },
      metrics: { dailyBarkDurations: [{ date: '2026-10-12' }, { date: '2026-10-13' }] },
    },
    bad: {
      period: { startDate: '2026-10-12' },
      metrics: { dailyBarkDurations: [{ date: '2026-10-12' }, { date: '2026-10-12' }] },
    },
    windows: periodWindows,
    check: (reading) => checkSeries(reading, checkDates),
  },
  {
    id: 'series-future-value',
    severity: 'error',
    section: '4',
    sentence:
      'No fact is of a day after the local date of asOf: such days are null. The date asOf is written with is accepted, with a warning.',
    good: {
      insightContext: { asOf: '2026-10-14T16:05:00+08:00' },
      metrics: { steps: { dailySteps: [6010, 6221, 3120, null, null, null, null] } },
    },
    bad: {
      insightContext: { asOf: '2026-10-14T16:05:00+08:00' },
      metrics: { steps: { dailySteps: [6010, 6221, 3120, 0, 0, 0, 0] } },
    },
    windows: periodWindows,
    check: (reading) => checkSeries(reading, checkFuture),
  },
]

function describeLength(series: Series, start: number, days: number): ViolationDetails {
  const { path } = series.place
  const { length, dates } = series
  // Nights that are called by their evenings begin on the day before.
  const isByEvening = series.place.date === 'nightDate' && dates.includes(formatDate(start - 1))
  const named = nameDays(series, isByEvening ? start - 1 : start, days)
  const advice = length < days && named === '' ? '; days to come are null' : ''
  return {
    path,
    message: `${nameMember(path)} has ${length} entries, but the window has ${days} days${advice}.${named}`,
    expected: `${days} entries`,
    actual: `${length} entries`,
  }
}

type SeriesCheck = (series: Series, start: number, reading: Reading) => ViolationDetails | undefined

/** Arrays of another length than the window are left alone: their entries cannot be placed. */
function checkSeries(reading: Reading, check: SeriesCheck): readonly ViolationDetails[] | undefined {
  const { series, start, days } = reading
  if (start === undefined || days === undefined) return undefined
  let findings: ViolationDetails[] | undefined
  for (const one of series) {
    const finding = one.length === days ? check(one, start, reading) : undefined
    if (finding !== undefined) findings = [...(findings ?? []), finding]
  }
  return findings
}
