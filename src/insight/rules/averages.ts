import { membersOf, numberOf } from '../members.js'
import type { Reading } from '../reading.js'
import { findSeries, type Series, valuesOf } from '../series.js'
import type { Metric } from '../types.js'
import { minNightSamples, type VitalMetric, vitalNames } from '../vitals.js'
import { countWords, describeNumber } from '../wording.js'
import { type CheckedRule, type Finding, periodWindows, vitalMetrics } from './rule.js'

/** An average rounded to a whole number over facts rounded to whole numbers is off by at most 1. */
const tolerance = 1
/** Sums of decimal fractions are off by a little; a difference of exactly the tolerance still agrees. */
const noise = 1e-9
/** Night averages may be off by this share of the mean, where that is more than the tolerance. */
const nightShare = 0.02

type Value = number | null

/** An average of a window, and the daily array that it is made from. */
interface Average {
  /** Member of `metrics` that holds the average, where it does not stand there itself. */
  readonly block?: string
  readonly name: string
  /** How messages call it. */
  readonly label: string
  /** Name of the array, and of the member of its elements that holds the values, if they are objects. */
  readonly series: string
  readonly value?: string
  /** Whether a mean that includes today agrees as well. */
  readonly withToday: boolean
}

const activityAverage: Average = {
  block: 'activityTime',
  name: 'averageDailyActivityMinutes',
  label: 'averageDailyActivityMinutes',
  series: 'dailyActivityMinutes',
  withToday: false,
}
const stepsAverage: Average = {
  block: 'steps',
  name: 'averageDailySteps',
  label: 'averageDailySteps',
  series: 'dailySteps',
  withToday: true,
}
const dayRestAverage: Average = {
  block: 'dayRest',
  name: 'averageMinutes',
  label: 'dayRest.averageMinutes',
  series: 'dailyDayRestMinutes',
  withToday: false,
}
const barkAverage: Average = {
  name: 'averageDailyBarkDurationSeconds',
  label: 'averageDailyBarkDurationSeconds',
  series: 'dailyBarkDurations',
  value: 'barkDurationSeconds',
  withToday: true,
}
const vitalAverage = (block: string, series: string): Average => ({
  block,
  name: 'value',
  label: `${block}.value`,
  series,
  value: block,
  withToday: true,
})
const allDayAverages: Readonly<Record<VitalMetric, Average>> = {
  hr: vitalAverage(vitalNames.hr.allDayAverage, vitalNames.hr.dailyDays),
  hrv: vitalAverage(vitalNames.hrv.allDayAverage, vitalNames.hrv.dailyDays),
  rr: vitalAverage(vitalNames.rr.allDayAverage, vitalNames.rr.dailyDays),
}
const dayAverages: Readonly<Record<Metric, Average>> = {
  activity: stepsAverage,
  rest: dayRestAverage,
  ...allDayAverages,
  bark: barkAverage,
}
const nightAverages: Readonly<Partial<Record<Metric, Average>>> = {
  rest: {
    block: 'nightRest',
    name: 'averageMinutes',
    label: 'nightRest.averageMinutes',
    series: 'nightlyRestDurations',
    value: 'deepRestMinutes',
    withToday: true,
  },
  hr: vitalAverage(vitalNames.hr.nightAverage, vitalNames.hr.dailyNights),
  hrv: vitalAverage(vitalNames.hrv.nightAverage, vitalNames.hrv.dailyNights),
  rr: vitalAverage(vitalNames.rr.nightAverage, vitalNames.rr.dailyNights),
}

/** Rules of averages: they agree with the daily facts they come with. */
export const averageRules: readonly CheckedRule[] = [
  {
    id: 'activity-average-agrees',
    severity: 'error',
    section: '4',
    sentence: 'averageDailyActivityMinutes is the mean of the finished days that have records, give or take 1 minute.',
    good: {
      metrics: {
        activityTime: {
          averageDailyActivityMinutes: 205,
          dailyActivityMinutes: [200, 210, null, null, null, null, null],
        },
      },
    },
    bad: {
      metrics: {
        activityTime: {
          averageDailyActivityMinutes: 412,
          dailyActivityMinutes: [200, 210, null, null, null, null, null],
        },
      },
    },
    metrics: ['activity'],
    windows: periodWindows,
    check: (reading) => checkAverage(reading, activityAverage),
  },
  {
    id: 'activity-average-without-days',
    severity: 'error',
    section: '2.4',
    sentence: 'averageDailyActivityMinutes is null while no finished day has records.',
    good: {
      metrics: {
        activityTime: {
          averageDailyActivityMinutes: null,
          dailyActivityMinutes: [96, null, null, null, null, null, null],
        },
      },
    },
    bad: {
      metrics: {
        activityTime: {
          averageDailyActivityMinutes: 96,
          dailyActivityMinutes: [96, null, null, null, null, null, null],
        },
      },
    },
    metrics: ['activity'],
    windows: periodWindows,
    check: (reading) => {
      const average = findAverage(reading, activityAverage)
      if (average === undefined || hasFinishedValue(reading, activityAverage) !== false) return undefined
      return withoutDays(activityAverage, average)
    },
  },
  {
    id: 'steps-average-agrees',
    severity: 'error',
    section: '4',
    sentence:
      'averageDailySteps is the mean of the days that have records, with or without today, give or take 1 step.',
    good: { metrics: { steps: { averageDailySteps: 6050, dailySteps: [6000, 6100, null, null, null, null, null] } } },
    bad: { metrics: { steps: { averageDailySteps: 7000, dailySteps: [6000, 6100, null, null, null, null, null] } } },
    metrics: ['activity'],
    windows: periodWindows,
    check: (reading) => checkAverage(reading, stepsAverage),
  },
  {
    id: 'night-rest-average-agrees',
    severity: 'error',
    section: '4',
    sentence:
      'nightRest.averageMinutes is the mean over the nights of deep rest, or of deep rest and light movement, give or take 1 minute.',
    good: {
      metrics: {
        nightRest: { averageMinutes: 470 },
        nightlyRestDurations: [{ nightDate: '2026-10-12', lightMovementMinutes: 60, deepRestMinutes: 410 }],
      },
    },
    bad: {
      metrics: {
        nightRest: { averageMinutes: 300 },
        nightlyRestDurations: [{ nightDate: '2026-10-12', lightMovementMinutes: 60, deepRestMinutes: 410 }],
      },
    },
    metrics: ['rest'],
    windows: periodWindows,
    check: checkNightRest,
  },
  {
    id: 'day-rest-average-agrees',
    severity: 'error',
    section: '4',
    sentence: 'dayRest.averageMinutes is the mean of the finished days that have records, give or take 1 minute.',
    good: {
      metrics: { dayRest: { averageMinutes: 255 }, dailyDayRestMinutes: [250, 260, null, null, null, null, null] },
    },
    bad: {
      metrics: { dayRest: { averageMinutes: 300 }, dailyDayRestMinutes: [250, 260, null, null, null, null, null] },
    },
    metrics: ['rest'],
    windows: periodWindows,
    check: (reading) => checkAverage(reading, dayRestAverage),
  },
  {
    id: 'vital-night-average-agrees',
    severity: 'error',
    section: '8',
    sentence: 'The night average of a vital is the mean of the nights with at least 4 samples, give or take 1 or 2 %.',
    good: {
      metrics: {
        nightRestHrAverage: { value: 68 },
        dailyNightRestHr: [
          { date: '2026-10-12', nightRestHrAverage: 68, sampleCount: 36 },
          { date: '2026-10-13', nightRestHrAverage: 90, sampleCount: 3 },
        ],
      },
    },
    bad: {
      metrics: {
        nightRestHrAverage: { value: 79 },
        dailyNightRestHr: [
          { date: '2026-10-12', nightRestHrAverage: 68, sampleCount: 36 },
          { date: '2026-10-13', nightRestHrAverage: 90, sampleCount: 3 },
        ],
      },
    },
    metrics: vitalMetrics,
    windows: periodWindows,
    check: checkVitalNights,
  },
  {
    id: 'vital-all-day-average-agrees',
    severity: 'error',
    section: '2.4',
    sentence:
      'The all-day average of a vital is the mean of the days that have one, with or without today, give or take 1.',
    good: {
      metrics: {
        allDayRestHrAverage: { value: 75 },
        dailyAllDayRestHr: [{ date: '2026-10-12', allDayRestHrAverage: 75, sampleCount: 88 }],
      },
    },
    bad: {
      metrics: {
        allDayRestHrAverage: { value: 84 },
        dailyAllDayRestHr: [{ date: '2026-10-12', allDayRestHrAverage: 75, sampleCount: 88 }],
      },
    },
    metrics: vitalMetrics,
    windows: periodWindows,
    check: (reading) => checkAverage(reading, allDayAverages[reading.metric as VitalMetric]),
  },
  {
    id: 'bark-average-agrees',
    severity: 'error',
    section: '4',
    sentence:
      'averageDailyBarkDurationSeconds is the mean of the days that have records, with or without today, give or take 1 second.',
    good: {
      metrics: {
        averageDailyBarkDurationSeconds: 450,
        dailyBarkDurations: [{ date: '2026-10-12', barkDurationSeconds: 450 }],
      },
    },
    bad: {
      metrics: {
        averageDailyBarkDurationSeconds: 900,
        dailyBarkDurations: [{ date: '2026-10-12', barkDurationSeconds: 450 }],
      },
    },
    metrics: ['bark'],
    windows: periodWindows,
    check: (reading) => checkAverage(reading, barkAverage),
  },
  {
    id: 'average-without-days',
    severity: 'warning',
    section: '2.4',
    sentence: 'An average is null while there is no finished day or night to make it from.',
    good: { metrics: { averageDailyBarkDurationSeconds: null } },
    bad: { metrics: { averageDailyBarkDurationSeconds: 450 } },
    windows: periodWindows,
    check: checkAveragesWithoutDays,
  },
]

function findAverage({ facts }: Reading, { block, name }: Average): number | undefined {
  return numberOf(block === undefined ? facts : membersOf(facts, block), name)
}

function checkAverage(reading: Reading, average: Average): Finding | undefined {
  const found = findAverage(reading, average)
  const { start, days, asOf } = reading
  if (found === undefined || start === undefined || asOf === undefined) return undefined
  const series = findSeries(reading.series, average.series, days)
  if (series === undefined) return undefined
  const values = valuesOf(series, average.value)
  const mean = meanOf(values, asOf.inZone - start)
  if (agrees(found, mean)) return undefined
  const otherMean = asOf.asWritten === asOf.inZone ? mean : meanOf(values, asOf.asWritten - start)
  if (agrees(found, otherMean) || (mean === undefined && otherMean === undefined)) return undefined
  if (average.withToday && agrees(found, meanOf(values, asOf.latest - start + 1))) return undefined
  const count = countValues(values, asOf.inZone - start)
  return disagrees(
    average,
    found,
    `the ${countWords(count, 'finished day')} ${count === 1 ? 'averages' : 'average'}`,
    mean,
  )
}

/** Whether a finished day has a value; `undefined` when that is not known. */
function hasFinishedValue(reading: Reading, average: Average): boolean | undefined {
  const { start, days, asOf } = reading
  if (start === undefined || days === undefined || asOf === undefined || start > asOf.latest) return undefined
  if (asOf.latest <= start) return false
  const series = findSeries(reading.series, average.series, days)
  return series === undefined ? undefined : countValues(valuesOf(series, average.value), asOf.latest - start) > 0
}

function checkAveragesWithoutDays(reading: Reading): readonly Finding[] | undefined {
  const night = checkNightsWithoutValue(reading)
  const day = checkDaysWithoutValue(reading)
  if (night === undefined && day === undefined) return undefined
  return [night, day].filter((finding) => finding !== undefined)
}

function checkDaysWithoutValue(reading: Reading): Finding | undefined {
  const average = reading.metric === undefined ? undefined : dayAverages[reading.metric]
  const found = average === undefined ? undefined : findAverage(reading, average)
  if (average === undefined || found === undefined || found === 0) return undefined
  if (hasFinishedValue(reading, average) !== false || isMeanWithToday(reading, average, found)) return undefined
  return withoutDays(average, found)
}

function isMeanWithToday(reading: Reading, average: Average, found: number): boolean {
  const { start, days, asOf } = reading
  const series = findSeries(reading.series, average.series, days)
  if (!average.withToday || series === undefined || start === undefined || asOf === undefined) return false
  return agrees(found, meanOf(valuesOf(series, average.value), asOf.latest - start + 1))
}

function checkNightsWithoutValue(reading: Reading): Finding | undefined {
  const nights = readNights(reading)
  if (nights === undefined || nights.found === 0 || countValues(nights.values) > 0) return undefined
  return withoutDays(nights.average, nights.found)
}

interface Nights {
  readonly average: Average
  readonly found: number
  /** One value for each night that counts, in the widest sense: rest with light movement. */
  readonly values: readonly Value[]
  readonly series: Series
}

/** The nights behind an average; `undefined` when it or they were not sent, or the samples of one make no sense. */
function readNights(reading: Reading): Nights | undefined {
  const average = reading.metric === undefined ? undefined : nightAverages[reading.metric]
  const found = average === undefined ? undefined : findAverage(reading, average)
  if (average === undefined || found === undefined) return undefined
  const series = findSeries(reading.series, average.series, reading.days)
  if (series === undefined) return undefined
  const sent = valuesOf(series, average.value)
  const isRest = reading.metric === 'rest'
  const others = valuesOf(series, isRest ? 'lightMovementMinutes' : 'sampleCount')
  const values: Value[] = []
  for (let index = 0; index < sent.length; index++) {
    const value = sent[index] ?? null
    const other = others[index] ?? null
    if (value !== null && !isRest && (other === null || other === 0)) return undefined
    if (value === null) values.push(null)
    else if (isRest) values.push(value + (other ?? 0))
    else values.push((other ?? 0) >= minNightSamples ? value : null)
  }
  return { average, found, values, series }
}

/** @NOTE contract: whether light movement is rest is not shown; deep rest with it and without it both agree. */
function checkNightRest(reading: Reading): Finding | undefined {
  const nights = readNights(reading)
  if (nights === undefined || isExplained(reading, nights.found, nights.values, tolerance, 0)) return undefined
  if (isExplained(reading, nights.found, valuesOf(nights.series, nights.average.value), tolerance, 0)) return undefined
  const count = countWords(countValues(nights.values), 'night')
  return disagrees(
    nights.average,
    nights.found,
    `deep rest and light movement of ${count} average`,
    meanOf(nights.values),
  )
}

function checkVitalNights(reading: Reading): Finding | undefined {
  const nights = readNights(reading)
  if (nights === undefined || isExplained(reading, nights.found, nights.values, tolerance, nightShare)) return undefined
  const count = countWords(countValues(nights.values), 'night')
  return disagrees(
    nights.average,
    nights.found,
    `the ${count} with at least ${minNightSamples} samples average`,
    meanOf(nights.values),
  )
}

/**
 * Whether the nights, with or without that of today, explain an average; so do no nights at all, which is another rule's.
 * With fewer valid nights than nights with values it is not said which were left out: any average between the lowest and
 * the highest of that many nights may be right. The tolerance is a number or, if that is more, a share of the mean.
 */
function isExplained(reading: Reading, found: number, values: readonly Value[], least: number, share: number): boolean {
  const mean = meanOf(values)
  if (mean === undefined || agrees(found, mean, Math.max(least, mean * share))) return true
  const { start = 0, asOf, period } = reading
  const valid = numberOf(period, 'validNights') ?? 0
  const before = asOf === undefined ? values.length : asOf.earliest - start
  return [values.length, before].some((count) => {
    const known = values.slice(0, Math.max(0, count)).filter((value) => value !== null)
    const used = valid >= 1 && valid < known.length ? valid : known.length
    const sorted = known.sort((one, other) => one - other)
    const lowest = meanOf(sorted, used)
    const highest = meanOf(sorted.slice(-used))
    if (lowest === undefined || highest === undefined) return false
    return (
      found >= lowest - Math.max(least, lowest * share) - noise &&
      found <= highest + Math.max(least, highest * share) + noise
    )
  })
}

function agrees(found: number, mean: number | undefined, allowed = tolerance): boolean {
  return mean !== undefined && Math.abs(found - mean) <= allowed + noise
}

/** Mean of the first `count` values that are known; `undefined` when none is. */
function meanOf(values: readonly Value[], count = values.length): number | undefined {
  let sum = 0
  let known = 0
  for (let index = 0; index < count && index < values.length; index++) {
    const value = values[index]
    if (value === null || value === undefined) continue
    sum += value
    known++
  }
  return known === 0 ? undefined : sum / known
}

function countValues(values: readonly Value[], count = values.length): number {
  let known = 0
  for (let index = 0; index < count && index < values.length; index++) if (values[index] !== null) known++
  return known
}

function disagrees({ block, name, label }: Average, found: number, whose: string, mean: number | undefined): Finding {
  const expected = mean === undefined ? 'null' : describeNumber(mean)
  const actual = describeNumber(found)
  return { path: pathOf(block, name), message: `${label} is ${actual}, but ${whose} ${expected}.`, expected, actual }
}

function withoutDays({ block, name, label }: Average, found: number): Finding {
  const actual = describeNumber(found)
  return {
    path: pathOf(block, name),
    message: `${label} is ${actual}, but no finished day or night has records to make it from; it must be null.`,
    expected: 'null',
    actual,
  }
}

const pathOf = (block: string | undefined, name: string) =>
  block === undefined ? `/metrics/${name}` : `/metrics/${block}/${name}`
