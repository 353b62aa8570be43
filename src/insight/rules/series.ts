import { formatDate } from '../calendar.js'
import { nameMember } from '../describe-value.js'
import type { Reading } from '../reading.js'
import type { Series } from '../series.js'
import { type CheckedRule, periodWindows, type ViolationDetails } from './rule.js'
import { checkDates, checkFuture, nameDays } from './series-checks.js'

/** Rules of the members of `metrics`: blocks, numbers and daily arrays. */
export const seriesRules: readonly CheckedRule[] = [
  {
    id: 'metrics-block',
    severity: 'error',
    section: '2.4',
    sentence:
      'The blocks inside metrics, such as activityTime or night, are objects; left out or null when there are no records.',
    good: { metrics: { steps: { steps: 6240 } } },
    bad: { metrics: { steps: 6240 } },
  },
  {
    id: 'metrics-number',
    severity: 'error',
    section: '2.4',
    sentence:
      'Durations, counts and averages are numbers of 0 or more; left out or null when there is no trusted source.',
    good: { metrics: { barkDurationSeconds: 540 } },
    bad: { metrics: { barkDurationSeconds: '540' } },
  },
  {
    id: 'activity-minutes-required',
    severity: 'error',
    section: '2.4',
    sentence: 'The activity of a day has metrics.activityTime.activityMinutes, a number of 0 or more.',
    good: { metric: 'activity', viewWindow: 'day', metrics: { activityTime: { activityMinutes: 210 } } },
    bad: { metric: 'activity', viewWindow: 'day', metrics: { activityTime: {} } },
  },
  {
    id: 'series-array',
    severity: 'error',
    section: '2.4',
    sentence: 'Daily facts are arrays.',
    good: { metrics: { activityTime: { dailyActivityMinutes: [210, 198, 240, 187, 205, 231, 222] } } },
    bad: { metrics: { activityTime: { dailyActivityMinutes: { '2026-10-12': 210 } } } },
  },
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
  {
    id: 'series-element',
    severity: 'error',
    section: '2.4',
    sentence:
      'The entries of a daily array are of its kind, a number of 0 or more or an object with its date; null for days to come.',
    good: { metrics: { steps: { dailySteps: [6010, null] } } },
    bad: { metrics: { steps: { dailySteps: [6010, '6221'] } } },
  },
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
