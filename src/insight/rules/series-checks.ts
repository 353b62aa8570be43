import { formatDate, listDates } from '../calendar.js'
import { isMembers } from '../members.js'
import type { Reading } from '../reading.js'
import type { Series } from '../series.js'
import { describeValue, listPlaces, nameMember } from '../wording.js'
import type { Finding } from './rule.js'

/** Finds the dates that are not those of their days: one finding, as when one is off, the ones after it mostly are, too. */
export function checkDates(series: Series, start: number): Finding | undefined {
  const { path, date } = series.place
  if (date === undefined || findWrongDate(series, start) < 0) return undefined
  const from = start + findShift(series, start)
  const [index, ...others] = listAll((after) => findWrongDate(series, from, after))
  if (index === undefined) return undefined
  const place = `${path}/${index}/${date}`
  const expected = formatDate(from + index)
  const actual = describeValue(dateAt(series, index))
  return {
    path: place,
    message: `${nameMember(place)} is ${actual}, but entry ${index} of an array from ${formatDate(from)} is ${expected}.${listPlaces(others)}`,
    expected: `"${expected}"`,
    actual,
  }
}

/** Finds the values of days to come, as one finding. A night that is called by the evening before may have begun on that date. */
export function checkFuture(series: Series, start: number, { asOf }: Reading): Finding | undefined {
  if (asOf === undefined || start > asOf.latest) return undefined
  const { path, numbers } = series.place
  let index = findValue(series, asOf.latest - start + 1)
  const shift = index < 0 ? 0 : findShift(series, start)
  if (shift !== 0) index = findValue(series, asOf.latest - start - shift + 1)
  if (index < 0) return undefined
  const [, ...others] = listAll((after) => findValue(series, Math.max(index, after)))
  const element = series.elements[index]
  const member = findNumber(element, numbers)
  const place = member === '' ? `${path}/${index}` : `${path}/${index}/${member}`
  const value = isMembers(element) ? element[member ?? ''] : element
  const day = formatDate(start + shift + index)
  return {
    path: place,
    message: `${nameMember(place)} is ${value}, but ${day} is after the date of asOf, ${formatDate(asOf.latest)}: days to come are null.${listPlaces(others)}`,
    expected: 'null',
    actual: String(value),
  }
}

/** Finds the first average of a vital that is made from no sample. */
export function checkSamples({ place, values: [averages = [], counts = []] }: Series): Finding | undefined {
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

/** Whether some value of a daily array is at fault by its day or its samples: sums of it say nothing. */
export function hasMisplacedValue(series: Series, reading: Reading): boolean {
  const { start } = reading
  return (
    (start !== undefined && checkFuture(series, start, reading) !== undefined) || checkSamples(series) !== undefined
  )
}

/** -1 when nights are called by the evening before, 0 when by their morning, as most of them are. */
export function findShift(series: Series, start: number): number {
  if (series.place.date !== 'nightDate') return 0
  let evenings = 0
  for (let index = 0; index < series.elements.length; index++) {
    const date = dateAt(series, index)
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

function findWrongDate(series: Series, from: number, after = 0): number {
  const dates = listDates(from)
  for (let index = after; index < series.elements.length; index++) {
    const date = dateAt(series, index)
    if (date !== undefined && date !== dates[index]) return index
  }
  return -1
}

function dateAt({ place, elements }: Series, index: number): unknown {
  const element = elements[index]
  if (!isMembers(element)) return undefined
  return place.date === 'nightDate' ? element.nightDate : element.date
}

function findValue({ place: { numbers }, elements }: Series, from: number): number {
  for (let index = Math.max(0, from); index < elements.length; index++) {
    if (findNumber(elements[index], numbers) !== undefined) return index
  }
  return -1
}

/** The name of a member that holds a number, '' for the element itself. No samples is as good as none. */
function findNumber(element: unknown, names: readonly string[]): string | undefined {
  if (typeof element === 'number') return ''
  if (!isMembers(element)) return undefined
  return names.find((name) => typeof element[name] === 'number' && !(name === 'sampleCount' && element[name] === 0))
}
