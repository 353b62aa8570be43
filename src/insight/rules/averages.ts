import { countWords } from '../describe-value.js'
import { type JsonObject, objectOf } from '../json-object.js'
import { listTodays, type Reading } from '../reading.js'
import { findSeries, type Series, valuesOf } from '../series.js'
import type { VitalMetric } from '../vitals.js'
import {
  type Average,
  activityAverage,
  allDayAverages,
  barkAverage,
  dayAverages,
  dayRestAverage,
  disagrees,
  findAverage,
  stepsAverage,
  withoutDays,
} from './average-places.js'
import { listMistakes, listOtherMeans, type Mistake, sayMistake } from './likely-mistakes.js'
import { agrees, countValues, meanOf } from './mean.js'
import { checkNightRest, checkNightsWithoutValue, checkVitalNights, readNights } from './night-averages.js'
import { type CheckedRule, periodWindows, type ViolationDetails, vitalMetrics } from './rule.js'
import { hasMisplacedValue } from './series.js'

/** An error about an average of a week or month, which the good and the bad example state next to the same daily facts. */
interface AverageRule extends Pick<CheckedRule, 'id' | 'section' | 'sentence' | 'metrics' | 'check'> {
  readonly example: (average: number | null) => object
  readonly values: readonly [good: number | null, bad: number]
}

function averageRule({ example, values: [good, bad], ...rule }: AverageRule): CheckedRule {
  const examples = { good: { metrics: example(good) }, bad: { metrics: example(bad) } }
  return { ...rule, severity: 'error', ...examples, windows: periodWindows }
}

/** Rules of averages: they agree with the daily facts they come with. */
export const averageRules: readonly CheckedRule[] = [
  averageRule({
    id: 'activity-average-agrees',
    section: '4',
    sentence: 'averageDailyActivityMinutes is the mean of the finished days that have records, give or take 1 minute.',
    example: (averageDailyActivityMinutes) => ({
      activityTime: { averageDailyActivityMinutes, dailyActivityMinutes: [200, 210, null, null, null, null, null] },
    }),
    values: [205, 412],
    metrics: ['activity'],
    check: (reading) => checkAverage(reading, activityAverage),
  }),
  averageRule({
    id: 'activity-average-without-days',
    section: '2.4',
    sentence: 'averageDailyActivityMinutes is null while no finished day has records.',
    example: (averageDailyActivityMinutes) => ({
      activityTime: { averageDailyActivityMinutes, dailyActivityMinutes: [96, null, null, null, null, null, null] },
    }),
    values: [null, 96],
    metrics: ['activity'],
    check: (reading) => checkWithoutDays(reading, activityAverage),
  }),
  averageRule({
    id: 'steps-average-agrees',
    section: '4',
    sentence:
      'averageDailySteps is the mean of the days that have records, with or without today, give or take 1 step.',
    example: (averageDailySteps) => ({
      steps: { averageDailySteps, dailySteps: [6000, 6100, null, null, null, null, null] },
    }),
    values: [6050, 7000],
    metrics: ['activity'],
    check: (reading) => checkAverage(reading, stepsAverage),
  }),
  averageRule({
    id: 'night-rest-average-agrees',
    section: '4',
    sentence:
      'nightRest.averageMinutes is the mean over the nights of deep rest, or of deep rest and light movement, give or take 1 minute.',
    example: (averageMinutes) => ({
      nightRest: { averageMinutes },
      nightlyRestDurations: [{ nightDate: '2026-10-12', lightMovementMinutes: 60, deepRestMinutes: 410 }],
    }),
    values: [470, 300],
    metrics: ['rest'],
    check: checkNightRest,
  }),
  averageRule({
    id: 'day-rest-average-agrees',
    section: '4',
    sentence: 'dayRest.averageMinutes is the mean of the finished days that have records, give or take 1 minute.',
    example: (averageMinutes) => ({
      dayRest: { averageMinutes },
      dailyDayRestMinutes: [250, 260, null, null, null, null, null],
    }),
    values: [255, 300],
    metrics: ['rest'],
    check: (reading) => checkAverage(reading, dayRestAverage),
  }),
  averageRule({
    id: 'vital-night-average-agrees',
    section: '8',
    sentence: 'The night average of a vital is the mean of the nights with at least 4 samples, give or take 1 or 2 %.',
    example: (value) => ({
      nightRestHrAverage: { value },
      dailyNightRestHr: [
        { date: '2026-10-12', nightRestHrAverage: 68, sampleCount: 36 },
        { date: '2026-10-13', nightRestHrAverage: 90, sampleCount: 3 },
      ],
    }),
    values: [68, 79],
    metrics: vitalMetrics,
    check: checkVitalNights,
  }),
  averageRule({
    id: 'vital-all-day-average-agrees',
    section: '2.4',
    sentence:
      'The all-day average of a vital is the mean of the days that have one, with or without today, give or take 1.',
    example: (value) => ({
      allDayRestHrAverage: { value },
      dailyAllDayRestHr: [{ date: '2026-10-12', allDayRestHrAverage: 75, sampleCount: 88 }],
    }),
    values: [75, 84],
    metrics: vitalMetrics,
    check: (reading) => checkAverage(reading, allDayAverages[reading.metric as VitalMetric]),
  }),
  averageRule({
    id: 'bark-average-agrees',
    section: '4',
    sentence:
      'averageDailyBarkDurationSeconds is the mean of the days that have records, with or without today, give or take 1 second.',
    example: (averageDailyBarkDurationSeconds) => ({
      averageDailyBarkDurationSeconds,
      dailyBarkDurations: [{ date: '2026-10-12', barkDurationSeconds: 450 }],
    }),
    values: [450, 900],
    metrics: ['bark'],
    check: (reading) => checkAverage(reading, barkAverage),
  }),
  {
    id: 'average-without-days',
    severity: 'warning',
    section: '2.4',
    sentence: 'An average is null while there is no finished day or night to make it from.',
    good: { metrics: { averageDailyBarkDurationSeconds: null } },
    bad: { metrics: { averageDailyBarkDurationSeconds: 450 } },
    windows: periodWindows,
    check: (reading) => {
      const nights = checkNightsWithoutValue(reading)
      const days = checkDaysWithoutValue(reading)
      return nights === undefined ? days : [nights, ...(days === undefined ? [] : [days])]
    },
  },
]

/** Compares an average with the mean of the finished days, and of today where that agrees as well. */
function checkAverage(reading: Reading, average: Average): ViolationDetails | undefined {
  const found = findUnexplained(reading, average)
  if (found === undefined || isOverNoDay(average, found)) return undefined
  for (const { days, count, mean } of found.finished) {
    if (mean === undefined) continue
    const whose = `the ${countWords(count, 'finished day')} ${count === 1 ? 'averages' : 'average'}`
    return disagrees(average, found.value, whose, mean, findMistake(reading, average, found, days, mean))
  }
  return undefined
}

/** Finds an average other than that of activity minutes over no finished day that has records; 0 is as good as null. */
function checkDaysWithoutValue(reading: Reading): ViolationDetails | undefined {
  const average = reading.metric === undefined ? undefined : dayAverages[reading.metric]
  if (average === undefined || findAverage(reading, average) === 0) return undefined
  return checkWithoutDays(reading, average)
}

/** Finds an average over no finished day that has records. */
function checkWithoutDays(reading: Reading, average: Average): ViolationDetails | undefined {
  const found = findUnexplained(reading, average)
  if (found === undefined) return checkFirstDay(reading, average)
  if (!isOverNoDay(average, found)) return undefined
  return withoutDays(average, found.value, findMistake(reading, average, found, found.finished[0]?.days ?? 0))
}

/** Checks an average whose days were not sent: on the first day of the window there is no finished day. */
function checkFirstDay(reading: Reading, average: Average): ViolationDetails | undefined {
  const value = findAverage(reading, average)
  const { start, days, asOf } = reading
  if (value === undefined || days === undefined || asOf === undefined || start !== asOf.latest) return undefined
  return isSent(reading, average) ? undefined : withoutDays(average, value)
}

/** An empty array counts as sent, and an invalid one: neither has to be in the series. */
function isSent({ facts, invalidPaths, series }: Reading, { block, series: name }: Average): boolean {
  if (series.some(({ place }) => place.name === name)) return true
  const isIn = (members: JsonObject, path: string) =>
    Array.isArray(members[name]) || invalidPaths.has(`${path}/${name}`)
  // Some arrays are in the block of their average, others are next to it.
  return isIn(facts, '/metrics') || (block !== undefined && isIn(objectOf(facts, block), `/metrics/${block}`))
}

/** An average that no reading of today explains. */
interface Unexplained {
  readonly value: number
  readonly series: Series
  /** By each date that may have been today: the finished days, how many of them have records, and their mean. */
  readonly finished: readonly { readonly days: number; readonly count: number; readonly mean: number | undefined }[]
}

/** Returns `undefined` also when the average or its days were not sent, or when one of them is invalid. */
function findUnexplained(reading: Reading, average: Average): Unexplained | undefined {
  const value = findAverage(reading, average)
  const { start, days, asOf } = reading
  if (value === undefined || start === undefined || asOf === undefined || start > asOf.latest) return undefined
  const series = findSeries(reading.series, average.series, days)
  if (series === undefined) return undefined
  const values = valuesOf(series, average.value)
  if (agrees(value, meanOf(values, asOf.inZone - start))) return undefined
  if (average.withToday && agrees(value, meanOf(values, asOf.latest - start + 1))) return undefined
  if (hasMisplacedValue(series, reading)) return undefined
  const finished = listTodays(reading).map((today) => ({
    days: today - start,
    count: countValues(values, today - start),
    mean: meanOf(values, today - start),
  }))
  return finished.some(({ mean }) => agrees(value, mean)) ? undefined : { value, series, finished }
}

/** Returns a sentence about the likely mistake in an average over the first `over` days, or ''. */
function findMistake(
  reading: Reading,
  average: Average,
  { value, series }: Pick<Unexplained, 'value' | 'series'>,
  over: number,
  mean?: number,
): string {
  const { start = 0, days = 0 } = reading
  const samples = series.place.numbers.includes('sampleCount') ? valuesOf(series, 'sampleCount') : undefined
  const mistakes = listMistakes({
    reading,
    noun: 'finished day',
    values: valuesOf(series, average.value),
    samples,
    from: start,
    over: Math.min(over, days),
    withToday: average.withToday,
    units: average.otherUnits,
  })
  const others = listOtherMeans(reading, average.series, average.value, over)
  const night = average === dayRestAverage ? meanOf(readNights(reading)?.values ?? []) : undefined
  const ofNights: Mistake = [
    'night rest',
    'The mean of deep rest and light movement of the nights is',
    night ?? Number.NaN,
  ]
  return sayMistake(value, mean, [...mistakes, ...others, ofNights])
}

/** Checks whether there may have been no finished day: for most averages one reading of today is enough. */
function isOverNoDay({ isNullWithoutDays }: Average, { finished }: Unexplained): boolean {
  return isNullWithoutDays ? finished.every(({ count }) => count === 0) : finished.some(({ count }) => count === 0)
}
