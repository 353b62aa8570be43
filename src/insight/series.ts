import { isJsonObject, type JsonObject, objectOf } from './json-object.js'
import type { Metric } from './types.js'
import { byVital, type VitalMetric, vitalNames } from './vitals.js'

/** A member of `metrics`, or of a block in it. */
export interface FactMember {
  readonly block?: string
  readonly name: string
}

/** Returns the JSON Pointer of a member of `metrics`. */
export function pathOf({ block, name }: FactMember): string {
  return block === undefined ? `/metrics/${name}` : `/metrics/${block}/${name}`
}

/** Returns the object that holds a member of `metrics`. */
export function holderOf(facts: JsonObject, { block }: FactMember): JsonObject {
  return block === undefined ? facts : objectOf(facts, block)
}

/** The place where a metric keeps the facts of each day of a week or month. Source: health detail contract, 2.4. */
export interface SeriesPlace extends FactMember {
  /** JSON Pointer of the array. */
  readonly path: string
  /** Members of an element that hold numbers; empty if the elements are numbers. */
  readonly numbers: readonly string[]
  /** Member of an element that holds its date; absent if the elements are numbers. */
  readonly date?: 'date' | 'nightDate'
}

/** A daily array that was sent, each kind of its facts in a column of its own. */
export interface Series {
  readonly place: SeriesPlace
  /** The number of elements that were sent. */
  readonly length: number
  /** One number or null for each element; one such list for each of the place's `numbers`, or for the elements. */
  readonly values: readonly (readonly (number | null)[])[]
  /** The date of each element, null for an element without a date; empty if elements do not have dates. */
  readonly dates: readonly (string | null)[]
  /** True if every element is as it was sent: one that was taken out would make sums wrong. */
  readonly isWhole: boolean
}

/**
 * As many elements as the longest window has days: an array with more is reported as too long, and they are not looked
 * at.
 */
const maxElements = 31

const vitalPlaces = (metric: VitalMetric): readonly SeriesPlace[] => {
  const names = vitalNames[metric]
  return [
    placeOf({ name: names.dailyNights, numbers: [names.nightAverage, 'sampleCount'], date: 'date' }),
    placeOf({ name: names.dailyDays, numbers: [names.allDayAverage, 'sampleCount'], date: 'date' }),
  ]
}

const placeOf = (place: Omit<SeriesPlace, 'path'>): SeriesPlace => ({ ...place, path: pathOf(place) })

const places: Readonly<Record<Metric, readonly SeriesPlace[]>> = {
  activity: [
    placeOf({ block: 'activityTime', name: 'dailyActivityMinutes', numbers: [] }),
    placeOf({ block: 'steps', name: 'dailySteps', numbers: [] }),
  ],
  rest: [
    placeOf({
      name: 'nightlyRestDurations',
      numbers: ['lightMovementMinutes', 'deepRestMinutes'],
      date: 'nightDate',
    }),
    placeOf({ name: 'dailyDayRestMinutes', numbers: [] }),
  ],
  ...byVital(vitalPlaces),
  bark: [placeOf({ name: 'dailyBarkDurations', numbers: ['barkDurationSeconds'], date: 'date' })],
}

/**
 * Reads the daily arrays of a metric, without the invalid members. An empty array of daytime rest is an old placeholder,
 * and is left out.
 */
export function readSeries(metric: Metric, facts: JsonObject, invalidPaths: ReadonlySet<string>): readonly Series[] {
  const found: Series[] = []
  for (const place of places[metric]) {
    const { name, numbers, path } = place
    const elements = holderOf(facts, place)[name]
    if (!Array.isArray(elements) || (elements.length === 0 && name === 'dailyDayRestMinutes')) continue
    const values = numbers.length === 0 ? [readColumn(elements)] : numbers.map((member) => readColumn(elements, member))
    const isWhole = invalidPaths.size === 0 || ![...invalidPaths].some((one) => one.startsWith(`${path}/`))
    found.push({ place, length: elements.length, values, dates: readDates(place, elements), isWhole })
  }
  return found
}

/** The array under a name, if it is whole and was sent with one element for each of `days`. */
export function findSeries(series: readonly Series[], name: string, days: number | undefined): Series | undefined {
  for (const one of series) if (one.place.name === name) return one.isWhole && one.length === days ? one : undefined
  return undefined
}

/** One number or null for each element: the element itself, or its member. */
export function valuesOf({ place, values }: Series, member?: string): readonly (number | null)[] {
  return values[member === undefined ? 0 : place.numbers.indexOf(member)] ?? []
}

function readColumn(elements: readonly unknown[], name?: string): readonly (number | null)[] {
  const column = new Array<number | null>(Math.min(elements.length, maxElements))
  for (let index = 0; index < column.length; index++) {
    const element = elements[index]
    const value = name === undefined ? element : isJsonObject(element) ? element[name] : null
    column[index] = typeof value === 'number' ? value : null
  }
  return column
}

function readDates({ date }: SeriesPlace, elements: readonly unknown[]): readonly (string | null)[] {
  if (date === undefined) return noDates
  const dates = new Array<string | null>(Math.min(elements.length, maxElements))
  for (let index = 0; index < dates.length; index++) {
    const element = elements[index]
    const value = !isJsonObject(element) ? undefined : date === 'nightDate' ? element.nightDate : element.date
    dates[index] = typeof value === 'string' ? value : null
  }
  return dates
}

const noDates: readonly null[] = []
