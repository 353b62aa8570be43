import { membersOf, numberOf } from '../members.js'
import type { Reading } from '../reading.js'
import { findSeries, type Series, valuesOf } from '../series.js'
import { minNightSamples } from '../vitals.js'
import { countWords, describeNumber } from '../wording.js'
import { type Average, activityAverage, dayAverages, nightAverages } from './average-places.js'
import type { Finding } from './rule.js'

type Value = number | null

/** An average rounded to a whole number over facts rounded to whole numbers is off by at most 1. */
const tolerance = 1
/** Sums of decimal fractions are off by a little; a difference of exactly the tolerance still agrees. */
const noise = 1e-9
/** Night averages may be off by this share of the mean, where that is more than the tolerance. */
const nightShare = 0.02

function findAverage({ facts }: Reading, { block, name }: Average): number | undefined {
  return numberOf(block === undefined ? facts : membersOf(facts, block), name)
}

/** Compares an average with the mean of the finished days, and of today where that agrees as well. */
export function checkAverage(reading: Reading, average: Average): Finding | undefined {
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

/** Finds an average of activity minutes over no finished day that has records. */
export function checkActivityWithoutDays(reading: Reading): Finding | undefined {
  const found = findAverage(reading, activityAverage)
  if (found === undefined || hasFinishedValue(reading, activityAverage) !== false) return undefined
  return withoutDays(activityAverage, found)
}

/** Finds averages over days or nights without a single value, other than that of activity minutes. */
export function checkAveragesWithoutDays(reading: Reading): readonly Finding[] | undefined {
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

/**
 * Compares the average night rest with the nights.
 * @NOTE contract: whether light movement is rest is not shown; deep rest with it and without it both agree.
 */
export function checkNightRest(reading: Reading): Finding | undefined {
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

/** Compares the night average of a vital with the nights that have enough samples. */
export function checkVitalNights(reading: Reading): Finding | undefined {
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
