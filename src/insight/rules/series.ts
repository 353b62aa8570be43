import { listWords } from '../../text/spelling.js'
import { formatDate, listDates } from '../calendar.js'
import { countWords, describeValue, listPlaces, nameMember } from '../describe-value.js'
import type { Reading } from '../reading.js'
import type { Series } from '../series.js'
import { type CheckedRule, periodWindows, seen, type ViolationDetails } from './rule.js'
import { structural } from './structural.js'

/** Rules of the members of `metrics`: blocks, numbers and daily arrays. */
export const seriesRules: readonly CheckedRule[] = [
  ...structural('metrics-block', 'metrics-number', 'activity-minutes-required', 'series-array'),
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
  ...structural('series-element'),
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
    good: { insightContext: seen, metrics: { steps: { dailySteps: [6010, 6221, 3120, null, null, null, null] } } },
    bad: { insightContext: seen, metrics: { steps: { dailySteps: [6010, 6221, 3120, 0, 0, 0, 0] } } },
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

/** Finds the dates that are not those of their days: one finding, as when one is off, the ones after it mostly are, too. */
function checkDates(series: Series, start: number): ViolationDetails | undefined {
  const { path, date } = series.place
  if (date === undefined || findWrongDate(series, start) < 0) return undefined
  const from = start + findShift(series, start)
  const [index, ...others] = listAll((after) => findWrongDate(series, from, after))
  if (index === undefined) return undefined
  const place = `${path}/${index}/${date}`
  const expected = formatDate(from + index)
  const actual = describeValue(series.dates[index])
  return {
    path: place,
    message: `${nameMember(place)} is ${actual}, but entry ${index} of an array from ${formatDate(from)} is ${expected}.${listPlaces(others)}${nameDays(series, from, series.length)}`,
    expected: `"${expected}"`,
    actual,
  }
}

/** Returns sentences about the days of a window that an array leaves out or has twice; '' if its dates do not tell. */
function nameDays({ dates }: Series, from: number, days: number): string {
  const window = listDates(from).slice(0, days)
  const missing = window.filter((date) => !dates.includes(date))
  const doubled = window.filter((date) => dates.indexOf(date) !== dates.lastIndexOf(date))
  if (missing.length === window.length) return ''
  return sayDays(missing, 'is missing', 'are missing') + sayDays(doubled, 'comes twice', 'come twice')
}

const maxNamedDays = 5

function sayDays(days: readonly string[], one: string, many: string): string {
  if (days.length === 0) return ''
  const more = days.length - maxNamedDays
  const named = more > 0 ? [...days.slice(0, maxNamedDays), countWords(more, 'more day')] : days
  return ` ${listWords(named, 'and')} ${days.length === 1 ? one : many}.`
}

/** Finds the values of days to come, as one finding. A night that is called by the evening before may have begun on that date. */
export function checkFuture(series: Series, start: number, { asOf }: Reading): ViolationDetails | undefined {
  if (asOf === undefined || start > asOf.latest) return undefined
  const { place } = series
  let index = findValue(series, asOf.latest - start + 1)
  const shift = index < 0 ? 0 : findShift(series, start)
  if (shift !== 0) index = findValue(series, asOf.latest - start - shift + 1)
  if (index < 0) return undefined
  const [, ...others] = listAll((after) => findValue(series, Math.max(index, after)))
  const column = findColumn(series, index)
  const member = place.numbers[column]
  const path = member === undefined ? `${place.path}/${index}` : `${place.path}/${index}/${member}`
  const value = String(series.values[column]?.[index])
  const day = formatDate(start + shift + index)
  return {
    path,
    message: `${nameMember(path)} is ${value}, but ${day} is after the date of asOf, ${formatDate(asOf.latest)}: days to come are null.${listPlaces(others)}`,
    expected: 'null',
    actual: value,
  }
}

/** Finds the first average of a vital that is made from no sample. */
export function checkSamples({ place, values: [averages = [], counts = []] }: Series): ViolationDetails | undefined {
  if (place.numbers[1] !== 'sampleCount') return undefined
  for (let index = 0; index < counts.length; index++) {
    const value = averages[index]
    if (counts[index] !== 0 || value === null) continue
    const path = `${place.path}/${index}/${place.numbers[0]}`
    return {
      path,
      message: `${nameMember(path)} is ${value}, but its sampleCount is 0: without samples it is null.`,
      expected: 'null',
      actual: String(value),
    }
  }
  return undefined
}

/** Checks whether a value of a daily array is invalid by its day or its samples: sums of the array then say nothing. */
export function hasMisplacedValue(series: Series, reading: Reading): boolean {
  const { start } = reading
  return (
    (start !== undefined && checkFuture(series, start, reading) !== undefined) || checkSamples(series) !== undefined
  )
}

/** -1 when nights are called by the evening before, 0 when by their morning, as most of them are. */
export function findShift({ place, dates }: Series, start: number): number {
  if (place.date !== 'nightDate') return 0
  let evenings = 0
  for (let index = 0; index < dates.length; index++) {
    const date = dates[index]
    if (date === formatDate(start + index - 1)) evenings++
    else if (date === formatDate(start + index)) evenings--
  }
  return evenings > 0 ? -1 : 0
}

/** All indexes that a search finds, each from the one after the last; -1 ends it. */
function listAll(find: (after: number) => number): readonly number[] {
  const found: number[] = []
  for (let index = find(0); index >= 0; index = find(index + 1)) found.push(index)
  return found
}

function findWrongDate({ dates }: Series, from: number, after = 0): number {
  const expected = listDates(from)
  for (let index = after; index < dates.length; index++) {
    const date = dates[index]
    if (date !== null && date !== undefined && date !== expected[index]) return index
  }
  return -1
}

function findValue(series: Series, from: number): number {
  for (let index = Math.max(0, from); index < series.length; index++) if (findColumn(series, index) >= 0) return index
  return -1
}

/** Returns the index of the first of the `values` with a number for an element (zero samples do not count), or -1. */
function findColumn({ place, values }: Series, index: number): number {
  for (let column = 0; column < values.length; column++) {
    const value = values[column]?.[index]
    if (typeof value === 'number' && !(value === 0 && place.numbers[column] === 'sampleCount')) return column
  }
  return -1
}
