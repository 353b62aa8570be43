import { countWords } from '../describe-value.js'
import { type JsonObject, objectOf } from '../json-object.js'
import { listTodays, type Reading } from '../reading.js'
import { findSeries, valuesOf } from '../series.js'
import { disagrees, withoutDays } from './average-messages.js'
import { type Average, activityAverage, dayAverages, findAverage } from './average-places.js'
import { agrees, countValues, meanOf } from './mean.js'
import type { ViolationDetails } from './rule.js'
import { hasMisplacedValue } from './series-checks.js'

/** Compares an average with the mean of the finished days, and of today where that agrees as well. */
export function checkAverage(reading: Reading, average: Average): ViolationDetails | undefined {
  const found = findUnexplained(reading, average)
  if (found === undefined || isOverNoDay(average, found)) return undefined
  for (const { count, mean } of found.finished) {
    if (mean === undefined) continue
    const whose = `the ${countWords(count, 'finished day')} ${count === 1 ? 'averages' : 'average'}`
    return disagrees(average, found.value, whose, mean)
  }
  return undefined
}

/** Finds an average of activity minutes over no finished day that has records. */
export function checkActivityWithoutDays(reading: Reading): ViolationDetails | undefined {
  return checkWithoutDays(reading, activityAverage)
}

/** Finds another average over no finished day that has records; 0 is as good as null. */
export function checkDaysWithoutValue(reading: Reading): ViolationDetails | undefined {
  const average = reading.metric === undefined ? undefined : dayAverages[reading.metric]
  if (average === undefined || findAverage(reading, average) === 0) return undefined
  return checkWithoutDays(reading, average)
}

function checkWithoutDays(reading: Reading, average: Average): ViolationDetails | undefined {
  const found = findUnexplained(reading, average)
  if (found === undefined) return checkFirstDay(reading, average)
  return isOverNoDay(average, found) ? withoutDays(average, found.value) : undefined
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
  /** By each date that may have been today: the finished days that have records, and their mean. */
  readonly finished: readonly { readonly count: number; readonly mean: number | undefined }[]
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
    count: countValues(values, today - start),
    mean: meanOf(values, today - start),
  }))
  return finished.some(({ mean }) => agrees(value, mean)) ? undefined : { value, finished }
}

/** Checks whether there may have been no finished day: for most averages one reading of today is enough. */
function isOverNoDay({ isNullWithoutDays }: Average, { finished }: Unexplained): boolean {
  return isNullWithoutDays ? finished.every(({ count }) => count === 0) : finished.some(({ count }) => count === 0)
}
