import { membersOf, numberOf } from '../members.js'
import type { Reading } from '../reading.js'
import { findSeries, type Series, valuesOf } from '../series.js'
import { vitalInfixes, vitalMembers } from '../vitals.js'
import { countWords, describeNumber } from '../wording.js'
import { type CheckedRule, type Finding, periodWindows, vitalMetrics } from './rule.js'

/** An average rounded to a whole number over facts rounded to whole numbers is off by at most 1. */
const tolerance = 1
/** Sums of decimal fractions are off by a little; a difference of exactly the tolerance still agrees. */
const noise = 1e-9
/** A night counts towards the average from this many samples on. Source: health detail contract, 8. */
const minNightSamples = 4

type Value = number | null

/** An average of a window, and the daily array that it is made from. */
interface Average {
  /** Members from `metrics` down to the average. */
  readonly names: readonly [string] | readonly [string, string]
  readonly series: string
  /** Whether a mean that includes today agrees as well. */
  readonly withToday: boolean
}

const activityAverage: Average = {
  names: ['activityTime', 'averageDailyActivityMinutes'],
  series: 'dailyActivityMinutes',
  withToday: false,
}
const stepsAverage: Average = {
  names: ['steps', 'averageDailySteps'],
  series: 'dailySteps',
  withToday: true,
}
const dayRestAverage: Average = {
  names: ['dayRest', 'averageMinutes'],
  series: 'dailyDayRestMinutes',
  withToday: false,
}
const barkAverage: Average = {
  names: ['averageDailyBarkDurationSeconds'],
  series: 'dailyBarkDurations',
  withToday: true,
}
const nightRestAverage = { names: ['nightRest', 'averageMinutes'], series: 'nightlyRestDurations' } as const

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
      return withoutDays(average, 'null')
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
    check: (reading) => checkAverage(reading, allDayAverageOf(reading)),
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

interface FoundAverage {
  readonly value: number
  readonly path: string
  readonly name: string
}

function findAverage({ facts }: Reading, { names }: Pick<Average, 'names'>): FoundAverage | undefined {
  const [first, second] = names
  const value = second === undefined ? numberOf(facts, first) : numberOf(membersOf(facts, first), second)
  if (value === undefined) return undefined
  const isPlain = second === undefined || second.startsWith('average') === false
  return {
    value,
    path: `/metrics/${names.join('/')}`,
    name: second === undefined ? first : isPlain || second === 'averageMinutes' ? names.join('.') : second,
  }
}

function allDayAverageOf({ metric }: Reading): Average {
  const names = vitalMembers(vitalInfixes[metric as keyof typeof vitalInfixes])
  return {
    names: [names.allDayAverage, 'value'],
    series: names.dailyDays,
    withToday: true,
  }
}

/** The values of the array behind an average; the vital arrays hold it under the average's own name. */
function dailyValues(series: Series, average: Pick<Average, 'names'>): Value[] {
  return valuesOf(
    series,
    series.numbers.length === 0
      ? undefined
      : (series.numbers.find((name) => name === average.names[0]) ?? series.numbers[0]),
  )
}

function checkAverage(reading: Reading, average: Average): Finding | undefined {
  const found = findAverage(reading, average)
  const { start, days, asOf } = reading
  if (found === undefined || start === undefined || asOf === undefined) return undefined
  const series = findSeries(reading.series, average.series, days)
  if (series === undefined) return undefined
  const values = dailyValues(series, average)
  const finished = asOf.inZone - start
  const means = [meanOf(values, finished)]
  if (asOf.asWritten !== asOf.inZone) means.push(meanOf(values, asOf.asWritten - start))
  if (means.every((mean) => mean === undefined)) return undefined
  if (average.withToday) means.push(meanOf(values, asOf.latest - start + 1))
  if (means.some((mean) => agrees(found.value, mean))) return undefined
  const count = countValues(values, finished)
  return disagrees(found, `the ${countWords(count, 'finished day')} ${count === 1 ? 'averages' : 'average'}`, means[0])
}

/** Whether a finished day has a value; `undefined` when that is not known. */
function hasFinishedValue(reading: Reading, average: Average): boolean | undefined {
  const { start, days, asOf } = reading
  if (start === undefined || days === undefined || asOf === undefined || start > asOf.latest) return undefined
  if (asOf.latest <= start) return false
  const series = findSeries(reading.series, average.series, days)
  return series === undefined ? undefined : countValues(dailyValues(series, average), asOf.latest - start) > 0
}

function checkAveragesWithoutDays(reading: Reading): readonly Finding[] | undefined {
  const findings = averagesOf(reading).flatMap((average) => {
    const found = findAverage(reading, average)
    if (found === undefined || found.value === 0 || hasFinishedValue(reading, average) !== false) return []
    return isMeanWithToday(reading, average, found.value) ? [] : withoutDays(found, 'null')
  })
  const night = checkNightsWithoutValue(reading)
  return night === undefined ? findings : [...findings, night]
}

function averagesOf(reading: Reading): readonly Average[] {
  if (reading.metric === 'activity') return [stepsAverage]
  if (reading.metric === 'rest') return [dayRestAverage]
  return reading.metric === 'bark' ? [barkAverage] : [allDayAverageOf(reading)]
}

function isMeanWithToday(reading: Reading, average: Average, value: number): boolean {
  const { start, days, asOf } = reading
  const series = findSeries(reading.series, average.series, days)
  if (!average.withToday || series === undefined || start === undefined || asOf === undefined) return false
  return agrees(value, meanOf(dailyValues(series, average), asOf.latest - start + 1))
}

function checkNightsWithoutValue(reading: Reading): Finding | undefined {
  const nights = readNights(reading)
  if (nights === undefined || nights.average.value === 0 || nights.all.length > 0) return undefined
  return withoutDays(nights.average, 'null')
}

interface Nights {
  readonly average: FoundAverage
  /** For each way to count a night: the nights that count, without and with the last one if that is of today. */
  readonly readings: readonly (readonly number[])[]
  /** The nights that count in the widest sense. */
  readonly all: readonly number[]
}

/** What a night's average may be made from; `undefined` when the average or the nights were not sent. */
function readNights(reading: Reading): Nights | undefined {
  const { metric, start, days, asOf } = reading
  if (start === undefined || asOf === undefined || metric === undefined || metric === 'activity' || metric === 'bark') {
    return undefined
  }
  const names = metric === 'rest' ? undefined : vitalMembers(vitalInfixes[metric])
  const average = findAverage(
    reading,
    names === undefined ? nightRestAverage : { names: [names.nightAverage, 'value'] },
  )
  const series = findSeries(reading.series, names?.dailyNights ?? nightRestAverage.series, days)
  if (average === undefined || series === undefined) return undefined
  const ways = names === undefined ? restWays(series) : [vitalNights(series, names.nightAverage)]
  const before = asOf.earliest - start
  return {
    average,
    readings: ways.flatMap((values) => [knownOf(values, values.length), knownOf(values, before)]),
    all: knownOf(ways[0] ?? [], days ?? 0),
  }
}

/** @NOTE contract: whether light movement is rest is not shown; deep rest with it and without it both agree. */
function restWays(series: Series): Value[][] {
  const deep = valuesOf(series, 'deepRestMinutes')
  const light = valuesOf(series, 'lightMovementMinutes')
  return [deep.map((minutes, index) => (minutes === null ? null : minutes + (light[index] ?? 0))), deep]
}

function vitalNights(series: Series, average: string): Value[] {
  const counts = valuesOf(series, 'sampleCount')
  return valuesOf(series, average).map((value, index) => ((counts[index] ?? 0) >= minNightSamples ? value : null))
}

function checkNightRest(reading: Reading): Finding | undefined {
  const nights = readNights(reading)
  if (nights === undefined || nights.all.length === 0 || isExplained(reading, nights, () => tolerance)) return undefined
  return disagrees(
    nights.average,
    `${countWords(nights.all.length, 'night')} of deep rest and light movement average`,
    meanOf(nights.all),
  )
}

function checkVitalNights(reading: Reading): Finding | undefined {
  const nights = readNights(reading)
  if (nights === undefined || nights.all.length === 0) return undefined
  if (isExplained(reading, nights, (mean) => Math.max(tolerance, mean * 0.02))) return undefined
  return disagrees(
    nights.average,
    `the ${countWords(nights.all.length, 'night')} with at least ${minNightSamples} samples average`,
    meanOf(nights.all),
  )
}

/**
 * Whether some reading of the nights explains the average. With fewer valid nights than nights with values it is not said
 * which ones were left out: any average between the lowest and the highest of that many nights may be right.
 */
function isExplained(reading: Reading, { average, readings }: Nights, toleranceOf: (mean: number) => number): boolean {
  const valid = numberOf(reading.period, 'validNights') ?? 0
  return readings.some((values) => {
    if (values.length === 0) return false
    if (valid < 1 || valid >= values.length) return agrees(average.value, meanOf(values), toleranceOf)
    const sorted = [...values].sort((one, other) => one - other)
    const lowest = meanOf(sorted.slice(0, valid)) ?? 0
    const highest = meanOf(sorted.slice(-valid)) ?? 0
    return (
      average.value >= lowest - toleranceOf(lowest) - noise && average.value <= highest + toleranceOf(highest) + noise
    )
  })
}

function agrees(value: number, mean: number | undefined, toleranceOf: (mean: number) => number = () => tolerance) {
  return mean !== undefined && Math.abs(value - mean) <= toleranceOf(mean) + noise
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

const knownOf = (values: readonly Value[], count: number) =>
  values.slice(0, Math.max(0, count)).filter((value) => value !== null)
const countValues = (values: readonly Value[], count: number) => knownOf(values, count).length

function disagrees(average: FoundAverage, whose: string, mean: number | undefined): Finding {
  const expected = mean === undefined ? 'null' : describeNumber(mean)
  return {
    path: average.path,
    message: `${average.name} is ${describeNumber(average.value)}, but ${whose} ${expected}.`,
    expected,
    actual: describeNumber(average.value),
  }
}

function withoutDays(average: FoundAverage, expected: string): Finding {
  return {
    path: average.path,
    message: `${average.name} is ${describeNumber(average.value)}, but there is no finished day or night with records to make it from; it must be ${expected}.`,
    expected,
    actual: describeNumber(average.value),
  }
}
