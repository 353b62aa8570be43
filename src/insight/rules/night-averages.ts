import { countWords } from '../describe-value.js'
import { numberOf } from '../json-object.js'
import { listTodays, type Reading } from '../reading.js'
import { findSeries, type Series, valuesOf } from '../series.js'
import { minNightSamples } from '../vitals.js'
import { type Average, disagrees, findAverage, nightAverages, withoutDays } from './average-places.js'
import { listMistakes, listOtherMeans, type Mistake, sayMistake } from './likely-mistakes.js'
import { countValues, isBetween, meanOf, tolerance, type Value } from './mean.js'
import type { ViolationDetails } from './rule.js'
import { findShift, hasMisplacedValue } from './series.js'

/** Night averages of vitals may be off by this share of the mean, where that is more than the tolerance. */
const vitalShare = 0.02

/** Compares the average night rest with the nights. */
export function checkNightRest(reading: Reading): ViolationDetails | undefined {
  const nights = readNights(reading)
  if (nights === undefined || isExplained(reading, nights)) return undefined
  const { average, found, sent, values } = nights
  const whose = `deep rest and light movement of ${countWords(countValues(values), 'night')} average`
  const mean = meanOf(values) ?? 0
  const mistakes = listNightMistakes(reading, nights, values)
  const ofDeepRest = listNightMistakes(reading, nights, sent).map(
    ([kind, words, number]): Mistake => [
      kind,
      `For deep rest alone, ${words[0]?.toLowerCase()}${words.slice(1)}`,
      number,
    ],
  )
  return disagrees(average, found, whose, mean, sayMistake(found, mean, [...mistakes, ...ofDeepRest]))
}

/** Compares the night average of a vital with the nights that have enough samples. */
export function checkVitalNights(reading: Reading): ViolationDetails | undefined {
  const nights = readNights(reading)
  if (nights === undefined || isExplained(reading, nights)) return undefined
  const { average, found, values } = nights
  const allowedAt = allowedOf(nights)
  const mean = meanOf(values) ?? 0
  const count = countValues(values)
  const isUnsure = values.some((value, index) => value !== null && !isSure(nights, index))
  const samples = `at least ${minNightSamples} samples${isUnsure ? ', or no number of samples,' : ''}`
  const whose = `the ${countWords(count, 'night')} with ${samples} ${count === 1 ? 'averages' : 'average'}`
  const mistake = sayMistake(found, mean, listNightMistakes(reading, nights, values), allowedAt)
  return disagrees(average, found, whose, mean, mistake, allowedAt(mean))
}

/** Lists what a builder may have sent in place of the mean of the nights, in one sense of their values. */
function listNightMistakes(
  reading: Reading,
  { average, series }: Pick<SentNights, 'average' | 'series'>,
  values: readonly Value[],
): Mistake[] {
  const { start = 0, asOf } = reading
  const from = start + findShift(series, start)
  const over = Math.min(values.length, (asOf?.inZone ?? 0) - start + 1)
  const sent = valuesOf(series, average.value)
  const samples = series.place.numbers.includes('sampleCount') ? valuesOf(series, 'sampleCount') : undefined
  const short = samples?.filter((number, index) => sent[index] !== null && number !== null && number < minNightSamples)
  const night = { reading, noun: 'night', values, samples, from, withToday: true, units: average.otherUnits } as const
  const withShort = `With the ${countWords(short?.length ?? 0, 'night')} of fewer than ${minNightSamples} samples, the mean is`
  return [
    ...listMistakes({ ...night, over }),
    // The night of today may not have been sent yet.
    ...(values[over - 1] === null ? listMistakes({ ...night, over: over - 1 }) : []),
    ...listOtherMeans(reading, average.series, average.value, over - 1),
    ['short nights', withShort, short?.length ? (meanOf(sent) ?? Number.NaN) : Number.NaN],
  ]
}

/** Finds an average over nights that do not count; 0 and null are equal here. */
export function checkNightsWithoutValue(reading: Reading): ViolationDetails | undefined {
  const sent = findNights(reading)
  if (sent === undefined || sent.found === 0 || hasNight(sent)) return undefined
  if (hasMisplacedValue(sent.series, reading)) return undefined
  const values = sent.sent.map(() => null)
  const mistake = sayMistake(sent.found, undefined, listNightMistakes(reading, sent, values))
  return withoutDays(sent.average, sent.found, mistake)
}

/** Returns `period.validNights`: `null` when it was not sent, `undefined` when it is invalid. */
export function findValidNights({ period, days = 0, invalidPaths }: Reading): number | null | undefined {
  const valid = numberOf(period, 'validNights')
  if (valid === undefined) return invalidPaths.has('/period/validNights') ? undefined : null
  return valid >= 0 && valid <= Math.min(days, numberOf(period, 'elapsedNights') ?? days) ? valid : undefined
}

/**
 * Counts the nights of the window so far, for each date that may be today: with the night of today and without.
 * Nights that are named by their evening reach one further.
 */
export function listNightCounts(reading: Reading, series: Series): readonly number[] {
  const { start = 0 } = reading
  const more = findShift(series, start) === 0 ? [0, 1] : [0, 1, 2]
  return [...new Set(listTodays(reading).flatMap((today) => more.map((nights) => today - start + nights)))]
}

/** An average and the members sent for its nights. */
interface SentNights {
  readonly average: Average
  readonly found: number
  readonly series: Series
  /** Deep rest, or the average of a vital. */
  readonly sent: readonly Value[]
  /** Light movement, or the number of samples. */
  readonly beside: readonly Value[]
  readonly isRest: boolean
}

interface Nights extends SentNights {
  /** One value for each night that counts or may count. Of rest, the value includes light movement. */
  readonly values: readonly Value[]
}

/** True if a night counts without doubt. */
function isSure({ sent, beside, isRest }: SentNights, index: number): boolean {
  return beside[index] !== null && (!isRest || sent[index] !== null)
}

/** Returns the tolerance of an average, by the mean. */
const allowedOf =
  ({ isRest }: SentNights) =>
  (mean: number): number =>
    isRest ? tolerance : Math.max(tolerance, mean * vitalShare)

/** `undefined` when the average or its nights were not sent. */
function findNights(reading: Reading): SentNights | undefined {
  const average = reading.metric === undefined ? undefined : nightAverages[reading.metric]
  const found = average === undefined ? undefined : findAverage(reading, average)
  if (average === undefined || found === undefined) return undefined
  const series = findSeries(reading.series, average.series, reading.days)
  if (series === undefined) return undefined
  const isRest = reading.metric === 'rest'
  const beside = valuesOf(series, isRest ? 'lightMovementMinutes' : 'sampleCount')
  return { average, found, series, sent: valuesOf(series, average.value), beside, isRest }
}

/** The value of a night that counts or may count, in the widest sense. */
function valueAt({ sent, beside, isRest }: SentNights, index: number): Value {
  const value = sent[index] ?? null
  const other = beside[index] ?? null
  if (isRest) return value === null && other === null ? null : (value ?? 0) + (other ?? 0)
  return (other ?? minNightSamples) >= minNightSamples ? value : null
}

function hasNight(nights: SentNights): boolean {
  for (let index = 0; index < nights.sent.length; index++) if (valueAt(nights, index) !== null) return true
  return false
}

/**
 * Returns the nights of an average, or `undefined` when the average or the nights were not sent.
 * @NOTE contract: whether light movement is rest is not shown, so deep rest with it and without it both agree. A night
 * that has only one of the two may count or not; so may a night of a vital without its number of samples.
 */
export function readNights(reading: Reading): Nights | undefined {
  const nights = findNights(reading)
  if (nights === undefined) return undefined
  const { average, found, series, sent, beside, isRest } = nights
  // A copy: V8 would change the form of a new list with the first null after a fraction.
  const values = sent.slice()
  for (let index = 0; index < sent.length; index++) values[index] = valueAt(nights, index)
  return { average, found, series, sent, beside, isRest, values }
}

/**
 * Checks whether some reading of the nights explains an average. Also true when nothing can be said: without nights, when
 * today or the number of valid nights is not known, or when a night is invalid.
 */
function isExplained(reading: Reading, nights: Nights): boolean {
  const { found, series, sent, values, isRest } = nights
  const allowedAt = allowedOf(nights)
  const mean = meanOf(values)
  if (mean === undefined || isBetween(found, mean, mean, allowedAt)) return true
  const { start, asOf } = reading
  if (start === undefined || asOf === undefined || start > asOf.latest || hasMisplacedValue(series, reading))
    return true
  const valid = findValidNights(reading)
  if (valid === undefined) return true
  const counts = listNightCounts(reading, series)
  // The caller may mean rest without light movement.
  return (isRest ? [values, sent] : [values]).some((sense) =>
    counts.some((count) =>
      listMeans(nights, sense.slice(0, Math.max(0, count)), valid ?? 0).some(([lowest, highest]) =>
        isBetween(found, lowest, highest, allowedAt),
      ),
    ),
  )
}

/**
 * The lowest and the highest mean of each choice of nights that may have been made: the sure ones with some of the others,
 * or as many as are valid, as it is not said which were left out. No night at all is as good as 0.
 */
function listMeans(nights: Nights, values: readonly Value[], valid: number) {
  const sure = values.filter((value, index) => value !== null && isSure(nights, index)) as number[]
  const unsure = values.filter((value, index) => value !== null && !isSure(nights, index)) as number[]
  const all = sort([...sure, ...unsure])
  const sorted = sort(unsure)
  // The nights of rest that may count are counted together: all or none of them.
  const sizes = nights.isRest ? [0, sorted.length] : Array.from({ length: sorted.length + 1 }, (_, size) => size)
  const choices = sizes.map((size) => [
    [...sure, ...sorted.slice(0, size)],
    [...sure, ...sorted.slice(sorted.length - size)],
  ])
  if (valid >= 1 && valid < all.length) choices.push([all.slice(0, valid), all.slice(-valid)])
  return choices.map(([low = [], high = []]) => [meanOf(low) ?? 0, meanOf(high) ?? 0] as const)
}

const sort = (values: readonly number[]) => [...values].sort((one, other) => one - other)
