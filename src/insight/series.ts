import { isMembers, type Members, membersOf } from './members.js'
import type { Metric } from './types.js'
import { vitalInfixes, vitalMembers } from './vitals.js'

/** Where a metric keeps the facts of each day of a week or month. Source: health detail contract, 2.4. */
export interface SeriesPlace {
  /** Member of `metrics` that holds the array, and the member inside it where there is a block between. */
  readonly names: readonly [string] | readonly [string, string]
  /** Members of an element that hold numbers; none where the elements are numbers. */
  readonly numbers: readonly string[]
  /** Member of an element that holds its date; none where the elements are numbers. */
  readonly date?: 'date' | 'nightDate'
}

/** A daily array that was sent. */
export interface Series extends SeriesPlace {
  readonly path: string
  readonly elements: readonly unknown[]
}

const vitalPlaces = (metric: keyof typeof vitalInfixes): readonly SeriesPlace[] => {
  const names = vitalMembers(vitalInfixes[metric])
  return [
    { names: [names.dailyNights], numbers: [names.nightAverage, 'sampleCount'], date: 'date' },
    { names: [names.dailyDays], numbers: [names.allDayAverage, 'sampleCount'], date: 'date' },
  ]
}

const places: Readonly<Record<Metric, readonly SeriesPlace[]>> = {
  activity: [
    { names: ['activityTime', 'dailyActivityMinutes'], numbers: [] },
    { names: ['steps', 'dailySteps'], numbers: [] },
  ],
  rest: [
    {
      names: ['nightlyRestDurations'],
      numbers: ['lightMovementMinutes', 'deepRestMinutes'],
      date: 'nightDate',
    },
    { names: ['dailyDayRestMinutes'], numbers: [] },
  ],
  hr: vitalPlaces('hr'),
  hrv: vitalPlaces('hrv'),
  rr: vitalPlaces('rr'),
  bark: [{ names: ['dailyBarkDurations'], numbers: ['barkDurationSeconds'], date: 'date' }],
}

/** The daily arrays of a metric that its facts hold. An empty one of daytime rest is an old placeholder: none. */
export function readSeries(metric: Metric, facts: Members): readonly Series[] {
  const found: Series[] = []
  for (const place of places[metric]) {
    const [first, second] = place.names
    const elements = second === undefined ? facts[first] : membersOf(facts, first)[second]
    if (!Array.isArray(elements) || (elements.length === 0 && first === 'dailyDayRestMinutes')) continue
    found.push({ ...place, path: `/metrics/${place.names.join('/')}`, elements })
  }
  return found
}

/** The array under a name, if it was sent with one element for each of `days`. */
export function findSeries(series: readonly Series[], name: string, days: number | undefined): Series | undefined {
  return series.find(({ names, elements }) => names.at(-1) === name && elements.length === days)
}

/** One number or null for each element: the element itself, or its member. */
export function valuesOf({ elements }: Series, member?: string): (number | null)[] {
  return elements.map((element) => {
    const value = member === undefined ? element : isMembers(element) ? element[member] : null
    return typeof value === 'number' ? value : null
  })
}
