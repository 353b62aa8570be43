import { dayMs, formatDate } from '../calendar.js'
import { countWords, describeNumber, nameMember } from '../describe-value.js'
import type { Reading } from '../reading.js'
import { isBetween, meanOf, tolerance, type Value } from './mean.js'

/**
 * A number that a builder of payloads may have sent in place of the right one, after the start of the sentence that states it.
 * Mistakes of one kind are one explanation.
 */
export type Mistake = readonly [kind: string, words: string, number: number]

/** A unit that a builder may have sent a mean in, and its factor. */
export type OtherUnit = readonly [unit: string, factor: number]

/** A number explains another that differs from it by this share at most: the tolerance of a mean is too much for a small number. */
const maxShare = 0.05

/**
 * Returns a sentence, with a space before it, about the mistake that gives the number that was sent; '' unless exactly one does.
 * The sentence states what the payload says, not what the builder did. A number that agrees with `right` is left out.
 */
export function sayMistake(
  found: number,
  right: number | undefined,
  mistakes: readonly Mistake[],
  allowedAt: (number: number) => number = () => tolerance,
): string {
  const isAlike = (one: number, other: number | undefined) =>
    other !== undefined && isBetween(one, other, other, allowedAt)
  const giving = mistakes.filter(([, , number]) => isAlike(found, number) && !isAlike(number, right))
  const [kind] = giving[0] ?? []
  if (kind === undefined || giving.some(([other]) => other !== kind)) return ''
  const [nearest] = giving.sort(([, , one], [, , other]) => Math.abs(found - one) - Math.abs(found - other))
  const [, words = '', number = 0] = nearest ?? []
  return Math.abs(found - number) > Math.abs(number) * maxShare ? '' : ` ${words} ${describeNumber(number)}.`
}

/** The tolerance of a count. */
export const exact = () => 0

/** Says that a count of days so far is that of the whole window, if it is. */
export function sayWholeWindow(found: number, days: number): string {
  return found === days ? ` The whole window has ${days}.` : ''
}

/** The days or nights of a window, and the mean of those that are over. */
export interface MeanParts {
  readonly reading: Reading
  readonly noun: 'finished day' | 'night'
  /** One for each day or night of the window. */
  readonly values: readonly Value[]
  /** The numbers of samples of the same. */
  readonly samples?: readonly Value[] | undefined
  /** Day number of the first. */
  readonly from: number
  /** The number of those that are over. */
  readonly over: number
  /** True if a mean with today is as good. */
  readonly withToday: boolean
  readonly units: readonly OtherUnit[]
}

/** Lists what a builder may have sent in place of a mean. A number that cannot be computed is NaN, and explains nothing. */
export function listMistakes({ reading, noun, values, samples, from, over, withToday, units }: MeanParts): Mistake[] {
  const days = values.length
  const finished = values.slice(0, over)
  const known = finished.filter((value) => value !== null)
  const [count, sum] = [known.length, sumOf(known)]
  const [first = null, last = null] = [finished[0], finished.at(-1)]
  const [missing, zeros] = [over - count, known.filter((value) => value === 0).length]
  const today = noun === 'night' ? null : (values[over] ?? null)
  const dateAt = (index: number) => formatDate(from + index)
  const utcDay = reading.asOf === undefined ? undefined : Math.floor(reading.asOf.instantMs / dayMs)

  const total = `The sum of the ${countWords(count, noun)}`
  const asZero = `the ${countWords(missing, noun)} without records counted as 0`
  const mistakes: Mistake[] = []
  const add = (kind: string, isPossible: boolean, words: string, number: number) => {
    if (isPossible) mistakes.push([kind, words, number])
  }
  add('sum', count > 1, `${total} is`, sum)
  add('missing as 0', missing > 0, `With ${asZero}, the mean is`, sum / over)
  add('zeros left out', zeros > 0, `Without the ${countWords(zeros, noun)} of 0, the mean is`, sum / (count - zeros))
  const whole = `the ${countWords(days, noun === 'night' ? 'night' : 'day')} of the window`
  add('whole window', count > 0 && over < days, `${total}, divided by ${whole}, is`, sum / days)
  add('median', count > 2, `The median of the ${countWords(count, noun)} is`, medianOf(known))
  if (first !== null) {
    add('first left out', true, `Without ${dateAt(0)}, the first ${noun}, the mean is`, (sum - first) / (count - 1))
  }
  if (last !== null) {
    const inUtc = noun === 'finished day' && utcDay === from + over - 1 ? ', which is today in UTC' : ''
    const words = `${dateAt(over - 1)}, the last ${noun}`
    add('last left out', true, `Without ${words}${inUtc}, the mean is`, (sum - last) / (count - 1))
    add('one day', count > 2, `The value of ${words}, is`, last)
  }
  if (today !== null) {
    const inUtc = utcDay === from + over + 1 ? ` in ${reading.timezone}, but is in UTC` : ''
    const current = `${dateAt(over)}, which is not over${inUtc}`
    add('current day', !withToday, `With ${current}, the mean is`, (sum + today) / (count + 1))
    add('sum', count > 0, `With ${current}, the sum is`, sum + today)
    add('missing as 0', missing > 0, `With ${current}, and ${asZero}, the mean is`, (sum + today) / (over + 1))
    add('whole window', over + 1 < days, `With ${current}, the sum divided by ${whole} is`, (sum + today) / days)
    add('one day', count > 1, `The value of ${current}, is`, today)
    if (first !== null && count > 0) {
      const words = `From ${dateAt(1)} to ${dateAt(over)}, one day later, the mean is`
      add('later window', true, words, (sum - first + today) / count)
    }
  }
  const isSoFar = noun === 'finished day' && count > 0 && over + 1 < days
  add('days so far', isSoFar, `${total}, divided by the ${over + 1} days so far, is`, sum / (over + 1))
  if (samples !== undefined) add('by samples', true, 'Weighted by sampleCount, the mean is', weigh(finished, samples))
  for (const [unit, factor] of units) {
    add(unit, true, `In ${unit}, the mean is`, (sum / count) * factor)
    if (today !== null && withToday)
      add(unit, true, `In ${unit}, the mean with today is`, ((sum + today) / (count + 1)) * factor)
  }
  return mistakes
}

/** Lists the means of the other daily numbers than a member of an array, with today and without: one may be in the wrong place. */
export function listOtherMeans({ series, days }: Reading, name: string, member: string | undefined, over: number) {
  return series.flatMap((one) => {
    if (one.length !== days || !one.isWhole) return []
    const { place, values } = one
    return values.flatMap((column, index) => {
      const other = place.numbers[index]
      if (other === 'sampleCount' || (place.name === name && other === member)) return []
      const entries = `${nameMember(place.path)}${other === undefined ? '' : `[].${other}`}`
      return [over + 1, over].map((count): Mistake => {
        const words = `The mean of ${count < days ? `the first ${countWords(count, 'entry', 'entries')} of ` : ''}${entries} is`
        return [`${place.name} ${other}`, words, meanOf(column, count) ?? Number.NaN]
      })
    })
  })
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [low = 0, high = 0] = [sorted[Math.ceil(values.length / 2) - 1], sorted[Math.floor(values.length / 2)]]
  return (low + high) / 2
}

function weigh(values: readonly Value[], samples: readonly Value[]): number {
  const weights = values.map((value, index) => (value === null ? 0 : (samples[index] ?? Number.NaN)))
  return sumOf(values.map((value, index) => (value ?? 0) * (weights[index] ?? 0))) / sumOf(weights)
}
