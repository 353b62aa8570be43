import type { Metric, ViewWindow } from './types.js'

/** The name of a vital metric inside its members. Source: health detail contract, 2.4. */
export const vitalInfixes = { hr: 'Hr', hrv: 'Rmssd', rr: 'Rr' } as const
export type VitalMetric = keyof typeof vitalInfixes
export type VitalInfix = (typeof vitalInfixes)[VitalMetric]

/** Checks whether a metric is a vital sign. */
export function isVital(metric: Metric): metric is VitalMetric {
  return Object.hasOwn(vitalInfixes, metric)
}

/** Makes a value for each vital metric. */
export const byVital = <Value>(make: (metric: VitalMetric) => Value): Record<VitalMetric, Value> => ({
  hr: make('hr'),
  hrv: make('hrv'),
  rr: make('rr'),
})

/** The metrics that share judgment, context and texts. */
export type Family = 'activity' | 'rest' | 'vital' | 'bark'

export function familyOf(metric: Metric): Family {
  return isVital(metric) ? 'vital' : metric
}

/** A metric with its kind of window: what decides which members a payload may have. */
export type MetricWindow = `${Metric}-${'day' | 'period'}`

/** The page of a metric and a window: weeks and months have the same members. */
export function metricWindowOf(metric: Metric, viewWindow: ViewWindow): MetricWindow {
  return `${metric}-${viewWindow === 'day' ? 'day' : 'period'}`
}

/**
 * The names of the members of a vital metric's facts; the averages are also named so inside the daily arrays.
 * @NOTE contract: the names inside the arrays are shown for heart rate only; the others follow it.
 * Source: health detail contract, 2.4.
 */
export function vitalMembers<Infix extends VitalInfix>(infix: Infix) {
  return {
    nightAverage: `nightRest${infix}Average`,
    allDayAverage: `allDayRest${infix}Average`,
    dailyNights: `dailyNightRest${infix}`,
    dailyDays: `dailyAllDayRest${infix}`,
  } as const
}

/** The names of the members of each vital metric. */
export const vitalNames = {
  hr: vitalMembers('Hr'),
  hrv: vitalMembers('Rmssd'),
  rr: vitalMembers('Rr'),
} as const satisfies Record<VitalMetric, unknown>

/**
 * A night counts towards the average, and its own average is shown without a rating, from this many samples on.
 * Source: health detail contract, 8 and 8.2.
 */
export const minNightSamples = 4
