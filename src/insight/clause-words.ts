import type { Facts } from './facts.js'
import { formatCount, formatVital, roundHalfUp, roundsToSameText, splitDuration } from './format.js'
import type { Say } from './say.js'
import { readSituation } from './situation.js'

/**
 * With a breed or general basis nothing is called usual, which would be a second yardstick; nor is it said to be
 * within the range of the breed, since ratings are personal only. Source: health detail contract, 2.2.1 and 2.3.
 */
export function yardstickOf({ comparison }: Facts): 'reference' | 'usual' {
  return comparison.basis === 'none' ? 'usual' : 'reference'
}

export function periodWord({ isCurrent, window }: Facts): string {
  return `${isCurrent ? 'this' : 'that'}_${window}`
}

/** A duration in minutes, in words. */
export function sayDuration(minutes: number, say: Say): string {
  return say('DURATION', splitDuration(minutes))
}

/** A duration above 0 in minutes, in words: never as 0. */
export function saySomeDuration(minutes: number, say: Say): string {
  const parts = splitDuration(minutes)
  return say('DURATION', roundHalfUp(minutes) === 0 ? { ...parts, form: 'under' } : parts)
}

/** A bark duration in seconds, as an approximate one; never as 0. Source: health detail contract, 2.6.3. */
export function sayApproximate(seconds: number, say: Say): string {
  const size = toPrintedMinutes(seconds) === 0 ? 'under' : 'other'
  return say('APPROX_DURATION', { size, duration: sayDuration(seconds / 60, say) })
}

/** The minutes that a text says for seconds of barking; 0 is said as less than a minute. */
export function toPrintedMinutes(seconds: number): number {
  return roundHalfUp(seconds / 60)
}

export function sayVital({ locale, metric }: Facts, value: number, decimals: 0 | 1, say: Say): string {
  const count = decimals === 0 ? roundHalfUp(value) : value
  return say('VITAL_VALUE', { metric, count, value: formatVital(locale, value, decimals) })
}

export function sayVitalFact(facts: Facts, decimals: 0 | 1, say: Say): string {
  if (facts.main === undefined) return say('VITAL_FACT_DAY', { has: 'no', value: '' })
  return say('VITAL_FACT_DAY', { has: 'yes', value: sayVital(facts, facts.main, decimals, say) })
}

/** The usual range as [lower, upper]; a bound below 0 is shown as 0. */
export function readBounds({ comparison }: Facts): readonly [number, number] | undefined {
  const { usualLower, usualUpper } = comparison
  if (usualLower === undefined || usualUpper === undefined || usualLower > usualUpper) return undefined
  return [Math.max(0, usualLower), Math.max(0, usualUpper)]
}

export function sayRange(id: 'RANGE' | 'RANGE_NOTE', facts: Facts, decimals: 0 | 1, say: Say): string {
  const [lower = '', upper = ''] = (readBounds(facts) ?? []).map((bound) =>
    facts.family === 'vital' ? formatVital(facts.locale, bound, decimals) : sayDuration(bound, say),
  )
  const unit = facts.family === 'vital' ? 'VITAL_RANGE_UNIT' : 'DURATION_RANGE_UNIT'
  return say(id, { range: say(unit, { metric: facts.metric, lower, upper }) })
}

/** The side of a range where a value lies. */
export type Side = 'below' | 'within' | 'above'

/** The side of its usual range where the rating of a past day puts its value. */
export function readRatedSide(facts: Facts): Side {
  const { verdict } = readSituation(facts)
  return verdict === 'low' ? 'below' : verdict === 'high' ? 'above' : 'within'
}

/** The side of its usual range where a reader sees the value, both rounded as they are printed. */
export function readPrintedSide(facts: Facts): Side {
  const [lower = -Infinity, upper = Infinity] = readBounds(facts) ?? []
  const scale = 10 ** decimalsOf(facts)
  const print = (value: number) => roundHalfUp(value * scale)
  const value = print(facts.main ?? 0)
  return value < print(lower) ? 'below' : value > print(upper) ? 'above' : 'within'
}

/**
 * One decimal where the rounded vital of an out-of-range day would lie on a rounded bound, and so look like in range.
 */
export function decimalsOf(facts: Facts): 0 | 1 {
  const { family, main } = facts
  if (family !== 'vital' || main === undefined || readRatedSide(facts) === 'within') return 0
  return readBounds(facts)?.some((bound) => roundsToSameText(bound, main)) ? 1 : 0
}

/** The usual limit of barking in seconds; a limit of 0 says nothing. */
export function readLimit({ comparison: { usualUpper } }: Facts): number | undefined {
  return usualUpper !== undefined && usualUpper > 0 ? usualUpper : undefined
}

export function sayLimit(id: 'BARK_LIMIT_NOTE' | 'BARK_LIMIT_CLAUSE', facts: Facts, say: Say): string {
  const limit = readLimit(facts) ?? 0
  return say(id, { size: toPrintedMinutes(limit) === 0 ? 'under' : 'other', limit: sayApproximate(limit, say) })
}

/** A count of 0 times next to a duration would contradict it; as an average per day it may be less than once. */
export function hasBarks({ eventCount = 0, window }: Facts): boolean {
  return window === 'day' ? roundHalfUp(eventCount) > 0 : eventCount > 0
}

/** Checks whether there was no barking: a duration of 0 with a count of barks is less than a minute of barking. */
export function isSilent(facts: Facts): boolean {
  return facts.main === 0 && !hasBarks(facts)
}

export function sayBarks(facts: Facts, say: Say): string {
  if (!hasBarks(facts)) return ''
  const count = roundHalfUp(facts.eventCount ?? 0)
  return say(facts.window === 'day' ? 'BARK_EVENTS' : 'BARK_EVENTS_DAILY', { count })
}

export function sayAverage(id: string, facts: Facts, say: Say): string {
  return say(id, { duration: saySomeDuration(facts.main ?? 0, say), change: sayChange('CHANGE_AMOUNT', facts, say) })
}

/** Nothing at all has no amount that could have changed, and "100% less" would contradict an amount that is left. */
export function hasChange({ comparison: { changePercent }, main }: Facts): boolean {
  return changePercent !== undefined && changePercent > -99.5 && main !== 0
}

export type ChangeId = 'CHANGE_AMOUNT' | 'CHANGE_LEVEL'

const changeWords: Readonly<Record<ChangeId, readonly [down: string, up: string]>> = {
  CHANGE_AMOUNT: ['less', 'more'],
  CHANGE_LEVEL: ['lower', 'higher'],
}

/**
 * Change against the period before: a whole percentage without sign, the word follows the sign. Source: health detail
 * contract, 2.6.2.
 */
export function sayChange(id: ChangeId, facts: Facts, say: Say): string {
  const { comparison, locale } = facts
  const { changePercent = 0 } = comparison
  if (!hasChange(facts)) return ''
  const percent = roundHalfUp(Math.abs(changePercent))
  const [down, up] = changeWords[id]
  const word = percent === 0 ? 'same' : changePercent < 0 ? down : up
  return say(id, {
    direction: word,
    percent: formatCount(locale, percent),
    previous: say('PREVIOUS_PERIOD', { period: periodWord(facts) }),
  })
}
