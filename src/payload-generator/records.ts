import type { VitalMetric } from '../insight/vitals.js'

/** A night as a device recorded it, in minutes and times. */
export interface NightRecord {
  readonly deep: number
  readonly light: number
  readonly wakes: number
  readonly activity: number
  readonly longestRest: number
  readonly worn: number
}

/** An average and the number of its samples. */
export interface Sampled {
  readonly value: number
  readonly sampleCount: number
}

/** The records of a pet, by day number: `undefined` for a day without any. */
export interface Records {
  readonly activity: (day: number) => { readonly minutes: number; readonly steps: number } | undefined
  readonly goalMinutes: number | undefined
  /** The night that ends on the day. */
  readonly night: (day: number) => NightRecord | undefined
  /** Rest in each hour of the day, in minutes. */
  readonly hourlyRest: (day: number) => readonly number[] | undefined
  readonly dayRestMinutes: (day: number) => number | undefined
  readonly vital: (
    metric: VitalMetric,
    day: number,
  ) => { readonly night: Sampled; readonly allDay: Sampled } | undefined
  readonly bark: (
    day: number,
  ) => { readonly seconds: number; readonly events: number; readonly longestSeconds: number } | undefined
}
