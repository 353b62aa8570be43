import { describeNumber } from '../describe-value.js'
import { numberOf } from '../json-object.js'
import type { Reading } from '../reading.js'
import { type FactMember, holderOf, pathOf } from '../series.js'
import type { Metric } from '../types.js'
import { byVital, type VitalMetric, vitalNames } from '../vitals.js'
import type { OtherUnit } from './likely-mistakes.js'
import { tolerance } from './mean.js'
import type { ViolationDetails } from './rule.js'

/** An average of a window, and the daily array that it is made from. */
export interface Average extends FactMember {
  /** Its name in messages, where that is not `name`. */
  readonly label?: string
  /** Name of the array, and of the member of its elements that holds the values, if they are objects. */
  readonly series: string
  readonly value?: string
  /** True if a mean that includes today agrees as well. */
  readonly withToday: boolean
  /** True if the contract requires null, not 0, while no finished day has records. */
  readonly isNullWithoutDays?: true
  /** The units that it may have been sent in by mistake. */
  readonly otherUnits: readonly OtherUnit[]
}

const notMinutes: readonly OtherUnit[] = [
  ['seconds', 60],
  ['hours', 1 / 60],
]
const notSeconds: readonly OtherUnit[] = [
  ['milliseconds', 1000],
  ['minutes', 1 / 60],
  ['hours', 1 / 3600],
]

export const activityAverage: Average = {
  block: 'activityTime',
  name: 'averageDailyActivityMinutes',
  series: 'dailyActivityMinutes',
  withToday: false,
  isNullWithoutDays: true,
  otherUnits: notMinutes,
}
export const stepsAverage: Average = {
  block: 'steps',
  name: 'averageDailySteps',
  series: 'dailySteps',
  withToday: true,
  otherUnits: [['thousands', 1 / 1000]],
}
export const dayRestAverage: Average = {
  block: 'dayRest',
  name: 'averageMinutes',
  label: 'dayRest.averageMinutes',
  series: 'dailyDayRestMinutes',
  withToday: false,
  otherUnits: notMinutes,
}
export const barkAverage: Average = {
  name: 'averageDailyBarkDurationSeconds',
  series: 'dailyBarkDurations',
  value: 'barkDurationSeconds',
  withToday: true,
  otherUnits: notSeconds,
}
const vitalUnits: Readonly<Record<VitalMetric, OtherUnit>> = {
  hr: ['beats a second', 1 / 60],
  hrv: ['seconds', 1 / 1000],
  rr: ['breaths a second', 1 / 60],
}
const vitalAverage = (metric: VitalMetric, kind: 'allDayAverage' | 'nightAverage'): Average => ({
  block: vitalNames[metric][kind],
  name: 'value',
  label: `${vitalNames[metric][kind]}.value`,
  series: vitalNames[metric][kind === 'nightAverage' ? 'dailyNights' : 'dailyDays'],
  value: vitalNames[metric][kind],
  withToday: true,
  otherUnits: [vitalUnits[metric]],
})
export const allDayAverages = byVital((metric) => vitalAverage(metric, 'allDayAverage'))
/** The averages over days that need not be null without finished days. */
export const dayAverages: Readonly<Record<Metric, Average>> = {
  activity: stepsAverage,
  rest: dayRestAverage,
  ...allDayAverages,
  bark: barkAverage,
}
/** The averages over nights. */
export const nightAverages: Readonly<Partial<Record<Metric, Average>>> = {
  rest: {
    block: 'nightRest',
    name: 'averageMinutes',
    label: 'nightRest.averageMinutes',
    series: 'nightlyRestDurations',
    value: 'deepRestMinutes',
    withToday: true,
    otherUnits: notMinutes,
  },
  ...byVital((metric) => vitalAverage(metric, 'nightAverage')),
}

/** The average that was sent. */
export function findAverage({ facts }: Reading, average: Average): number | undefined {
  return numberOf(holderOf(facts, average), average.name)
}

/**
 * Says that an average is not the mean of its days or nights; `whose` are they, with their verb, and `allowed` is how far
 * it may be off. `mistake` is a sentence about the likely mistake, with a space before it, or ''.
 */
export function disagrees(
  average: Average,
  found: number,
  whose: string,
  mean: number,
  mistake: string,
  allowed: number = tolerance,
): ViolationDetails {
  const [actual, expected] = [describeNumber(found), describeNumber(mean)]
  const message = `${average.label ?? average.name} is ${actual}, but ${whose} ${expected}; within ${describeNumber(allowed)} of that was expected.${mistake}`
  return { path: pathOf(average), message, expected, actual }
}

/** Says that there is nothing that an average could be made from. */
export function withoutDays(average: Average, found: number, mistake = ''): ViolationDetails {
  const actual = describeNumber(found)
  return {
    path: pathOf(average),
    message: `${average.label ?? average.name} is ${actual}, but no finished day or night has records to make it from; it must be null.${mistake}`,
    expected: 'null',
    actual,
  }
}
