import {
  type ChangeId,
  hasBarks,
  hasChange,
  isSilent,
  periodWord,
  readBounds,
  readLimit,
  sayApproximate,
  sayAverage,
  sayAverageDuration,
  sayBarks,
  sayChange,
  sayDuration,
  sayLimit,
  sayRange,
  sayVital,
  sayVitalFact,
  yardstickOf,
} from './clause-words.js'
import type { Facts } from './facts.js'
import { formatClock, formatDay, formatNight, roundHalfUp, roundsToSameText } from './format.js'
import type { Say } from './say.js'
import { hasFewRecords } from './situation.js'

/** Something that must hold for a part of the text to be shown, in plain words for both cases. */
export interface Condition<Given extends readonly unknown[] = readonly [facts: Facts]> {
  readonly holds: (...given: Given) => boolean
  readonly yes: string | ((...given: Given) => string)
  readonly no: string
}

/** One argument of a scenario's sentence; an empty text where one of the conditions does not hold. */
export interface Clause {
  /** A text is part of the sentence; a choice selects among its words. */
  readonly kind: 'text' | 'choice'
  readonly when: readonly Condition[]
  readonly render: (facts: Facts, say: Say) => string | number
}

/** Returns the value of a clause, or the empty text. */
export function renderClause({ render, when }: Clause, facts: Facts, say: Say): string | number {
  for (const { holds } of when) if (!holds(facts)) return ''
  return render(facts, say)
}

const always = (render: Clause['render']): Clause => ({ kind: 'text', when: [], render })
const shownWhen = (when: readonly Condition[], render: Clause['render']): Clause => ({ kind: 'text', when, render })
const choice = (render: Clause['render']): Clause => ({ kind: 'choice', when: [], render })

// Conditions

const mainKnown: Condition = {
  holds: ({ main }) => main !== undefined,
  yes: 'the number of the page is known',
  no: 'the number of the page is not known',
}
const someBarking: Condition = {
  holds: (facts) => facts.main !== undefined && !isSilent(facts),
  yes: 'a bark duration was sent, and it or the count of barks is above 0',
  no: 'no bark duration was sent, or neither it nor the count of barks is above 0',
}
const someBarks: Condition = {
  holds: hasBarks,
  yes: 'a count of barks was sent',
  no: 'no count of barks above 0 was sent',
}
const someActivity: Condition = {
  holds: ({ main }) => main !== 0,
  yes: 'there was activity',
  no: 'there was no activity',
}
const wakesSent: Condition = {
  holds: ({ eventCount }) => eventCount !== undefined,
  yes: 'interruptions.count was sent',
  no: 'interruptions.count was not sent',
}
/** A pet that did not rest had nothing to wake from. */
const someRest: Condition = {
  holds: ({ main }) => main !== undefined && roundHalfUp(main) > 0,
  yes: 'there was rest to wake from',
  no: 'there was no rest to wake from',
}
/** Nor can such a night have been Good or Fair. */
const restFitsRating: Condition = {
  holds: (facts) => facts.judgment?.rating === 'Poor' || someRest.holds(facts),
  yes: 'a night with so much rest can be rated so',
  no: 'a night without rest cannot be rated so',
}
/** Ranges are personal only. Source: health detail contract, 2.2.1. */
const basisIsPersonal: Condition = {
  holds: ({ comparison }) => comparison.basis === 'none',
  yes: 'the page is not rated by breed or general values',
  no: 'the page is rated by breed or general values, and a usual range is personal',
}
const rangeSent: Condition = {
  holds: (facts) => readBounds(facts) !== undefined,
  yes: 'usualLower and usualUpper were sent',
  no: 'usualLower and usualUpper were not both sent, the lower one first',
}
/** 300.4 min above a range to 300 would read "5 h, more than its usual range (3 h-5 h)", 84.04 "above (62.0-84.0)". */
const valueTellsApart: Condition = {
  holds: (facts) => !readBounds(facts)?.some((bound) => roundsToSameText(bound, facts.main ?? NaN, decimalsOf(facts))),
  yes: 'the value differs from both bounds',
  no: 'the value is one of the bounds when both are rounded',
}
/** "3 h-3 h" is not a range. */
const boundsTellApart = (decimalsFor: (facts: Facts) => 0 | 1): Condition => ({
  holds: (facts) => {
    const [lower, upper] = readBounds(facts) ?? []
    return lower === undefined || upper === undefined || !roundsToSameText(lower, upper, decimalsFor(facts))
  },
  yes: 'the bounds differ',
  no: 'the two bounds are the same when they are rounded',
})
const limitSent: Condition = {
  holds: ({ comparison }) => comparison.usualUpper !== undefined,
  yes: 'usualUpper was sent',
  no: 'usualUpper was not sent',
}
/** 901 s above a limit of 900 would read "about 15 min, more than usual (usually not above about 15 min a day)". */
const limitTellsApart: Condition = {
  holds: (facts) => {
    const { main } = facts
    return main === undefined || isSilent(facts) || !roundsToSameText(Math.max(1, main / 60), readLimit(facts) / 60)
  },
  yes: 'the duration differs from it',
  no: 'the duration is the limit when both are rounded',
}
const streakSent: Condition = {
  holds: ({ comparison }) => (comparison.consecutiveUnusualDays ?? 0) >= 2,
  yes: 'consecutiveUnusualDays is 2 or more',
  no: 'consecutiveUnusualDays is not 2 or more',
}
const factorsSent: Condition = {
  holds: ({ comparison }) => comparison.restRatingFactors.length > 0,
  yes: 'restRatingFactors names it',
  no: 'restRatingFactors names nothing',
}
const fewOrChanged: Condition = {
  holds: (facts) => hasFewRecords(facts) || hasChange(facts),
  yes: (facts) => (hasFewRecords(facts) ? 'few days or nights have records' : 'changePercent was sent'),
  no: 'enough days or nights have records, and no change was sent that could be told',
}

// Openings

export const todayLead = always(({ comparison, locale, observedMinuteOfDay }, say) =>
  say('LEAD_TODAY', {
    basis: comparison.basis,
    time: formatClock(locale, observedMinuteOfDay),
    hour: Math.floor(observedMinuteOfDay / 60),
  }),
)

export const dayLead = always(({ comparison, locale, startDay, today }, say) =>
  say('LEAD_DAY', { basis: comparison.basis, date: formatDay(locale, startDay, today) }),
)

export const nightLead = always(({ comparison, locale, mode, startDay, today }, say) =>
  say('LEAD_NIGHT', {
    basis: comparison.basis,
    night: mode === 'last_night' ? 'last' : 'dated',
    nightSpan: formatNight(locale, startDay, today),
  }),
)

export const periodLead = always((facts, say) => say('LEAD_PERIOD', { period: periodWord(facts) }))

/** The opening that fits the window: for the one scenario that all windows share. */
export const anyLead = always((facts, say) => {
  if (facts.window !== 'day') return periodLead.render(facts, say)
  if (facts.mode === 'today_so_far') return todayLead.render(facts, say)
  return (facts.family === 'rest' ? nightLead : dayLead).render(facts, say)
})

// Amounts

export const duration = always(({ family, main }, say) =>
  family === 'bark' ? sayApproximate(main ?? 0, say) : sayDuration(main ?? 0, say),
)

export const averageDuration = always(({ main }, say) => sayAverageDuration(main ?? 0, say))

/** Less than the goal, also when both are rounded. */
export const durationBelowGoal = always(({ goalMinutes, main }, say) =>
  sayDuration(Math.min(roundHalfUp(main ?? 0), roundHalfUp(goalMinutes ?? 0) - 1), say),
)

export const goal = always(({ goalMinutes }, say) => sayDuration(goalMinutes ?? 0, say))

/** At least a minute while the goal is not met: never "0 min short". */
export const gap = always(({ goalMinutes, main }, say) =>
  sayDuration(Math.max(1, roundHalfUp((goalMinutes ?? 0) - (main ?? 0))), say),
)

export const vital = always(({ metric }, say) => say('VITAL_NAME', { metric }))

export const vitalValue = always((facts, say) => sayVital(facts, facts.main ?? 0, 0, say))

export const ratedDays = always(({ judgment }) => judgment?.ratedDays ?? 0)
export const attentionDays = always(({ judgment }) => judgment?.attentionDays ?? 0)
export const lowDays = always(({ comparison }) => comparison.unusualLowDays ?? 0)
export const highDays = always(({ comparison }) => comparison.unusualHighDays ?? 0)

// Facts inside a sentence

const wakesAs = (id: string): Clause =>
  shownWhen([wakesSent, someRest], ({ eventCount }, say) => say(id, { count: roundHalfUp(eventCount ?? 0) }))

export const wakes = wakesAs('WAKES_TAIL')
export const wakesSoFar = wakesAs('WAKES_SO_FAR')
const wakesListed = wakesAs('WAKES_LIST')

export const restFact = shownWhen([mainKnown, restFitsRating], (facts, say) =>
  say('REST_FACT', { duration: sayDuration(facts.main ?? 0, say), wakes: renderClause(wakesListed, facts, say) }),
)

export const vitalFactOfDay = always((facts, say) => sayVitalFact(facts, 0, say))
export const vitalFactOutOfRange = always((facts, say) =>
  sayVitalFact(facts, rangeOutOfRange.when.every(({ holds }) => holds(facts)) ? decimalsOf(facts) : 0, say),
)

export const vitalFactOfPeriod = shownWhen([mainKnown], (facts, say) => {
  const value = sayVital(facts, facts.main ?? 0, 0, say)
  const change = sayChange('CHANGE_LEVEL', facts, say)
  return say('VITAL_FACT_PERIOD', { has: change === '' ? 'value' : 'change', value, change })
})

export const barkFactOfDay = always((facts, say) =>
  say('BARK_FACT_DAY', {
    has: someBarking.holds(facts) ? 'yes' : 'no',
    duration: sayApproximate(facts.main ?? 0, say),
    events: sayBarks(facts, say),
  }),
)

export const barkFactOfPeriod = shownWhen([someBarking], (facts, say) => {
  const change = sayChange('CHANGE_AMOUNT', facts, say)
  return say('BARK_FACT_PERIOD', {
    has: change === '' ? 'value' : 'change',
    duration: sayApproximate(facts.main ?? 0, say),
    events: sayBarks(facts, say),
    change,
  })
})

export const barks = shownWhen([someBarks], sayBarks)

// Comparisons

const rangeShown = [rangeSent, basisIsPersonal, boundsTellApart(() => 0)]
export const range = shownWhen(rangeShown, (facts, say) => sayRange('RANGE', facts, 0, say))
export const rangeOutOfRange: Clause = shownWhen(
  [rangeSent, basisIsPersonal, valueTellsApart, boundsTellApart(decimalsOf)],
  (facts, say) => sayRange('RANGE', facts, decimalsOf(facts), say),
)
export const rangeNote = shownWhen(rangeShown, (facts, say) => sayRange('RANGE_NOTE', facts, 0, say))

const limitShown = [limitSent, basisIsPersonal]
/** Of a day with more barking than usual. */
export const limitNote = shownWhen([...limitShown, limitTellsApart], (facts, say) =>
  sayLimit('BARK_LIMIT_NOTE', facts, say),
)
export const limitClause = shownWhen(limitShown, (facts, say) => sayLimit('BARK_LIMIT_CLAUSE', facts, say))
/** A day without barking compares nothing, and says its limit as an unrated day does. */
export const limitOfCalmDay = shownWhen(limitShown, (facts, say) =>
  sayLimit(isSilent(facts) ? 'BARK_LIMIT_CLAUSE' : 'BARK_LIMIT_NOTE', facts, say),
)

export const streakOfDays = shownWhen([streakSent], ({ comparison }, say) =>
  say('STREAK_DAYS', { days: comparison.consecutiveUnusualDays ?? 0 }),
)
export const streakOfNights = shownWhen([streakSent], ({ comparison }, say) =>
  say('STREAK_NIGHTS', { nights: comparison.consecutiveUnusualDays ?? 0 }),
)

/**
 * The first two factors that have a text, in the order sent; a night told to be without wakes did not have too many.
 */
export const reasons = shownWhen([factorsSent], (facts, say) => {
  const known = [...new Set(facts.comparison.restRatingFactors)]
    .filter((factor) => factor !== 'interruptions' || roundHalfUp(facts.eventCount ?? 1) > 0)
    .map((factor) => say('FACTOR', { factor, yardstick: yardstickOf(facts) }))
    .filter((text) => text !== '')
  const [first = '', second = ''] = known
  return first === '' ? '' : say('REASONS', { count: Math.min(known.length, 2), first, second })
})

export const activityAverage = shownWhen([mainKnown, someActivity], (facts, say) =>
  sayAverage('ACTIVITY_AVERAGE', facts, say),
)
export const restAverage = shownWhen([mainKnown], (facts, say) => sayAverage('REST_AVERAGE', facts, say))

/** Closes a sentence about a period without a conclusion: how little it rests on, else the change. */
const tailOf = (fewId: string, unit: 'days' | 'nights', changeId: ChangeId): Clause =>
  shownWhen([fewOrChanged], (facts, say) =>
    hasFewRecords(facts) ? say(fewId, { [unit]: facts.recordCount ?? 0 }) : sayChange(changeId, facts, say),
  )

export const activityTail = tailOf('FEW_DAYS', 'days', 'CHANGE_AMOUNT')
export const restTail = tailOf('FEW_NIGHTS', 'nights', 'CHANGE_AMOUNT')
export const vitalTail = tailOf('FEW_NIGHTS', 'nights', 'CHANGE_LEVEL')
export const barkTail = tailOf('FEW_DAYS_CLAUSE', 'days', 'CHANGE_AMOUNT')

// Choices inside a sentence

/** Selects "within its usual range" for a period without attention days only if the rating says so. */
export const verdict = choice(({ judgment }) =>
  ['normal', 'balanced', 'Good', 'calm'].includes(judgment?.rating ?? '') ? 'usual' : 'other',
)

export const direction = choice(({ judgment }) =>
  judgment?.rating === 'low' || (judgment?.rating === 'fluctuating' && judgment.direction === -1) ? 'low' : 'high',
)

export const quiet = choice((facts) => (isSilent(facts) ? 'yes' : 'no'))

/** Without one full day of records nobody knows whether a pet was quiet: only that no barking was recorded. */
export const quietOfPeriod = choice((facts) => {
  if (!isSilent(facts)) return 'no'
  return facts.recordCount === 0 ? 'unknown' : 'yes'
})

/** With few records, a rated period says no more than its rating does. */
export const quietOfRatedPeriod = choice((facts) => (isSilent(facts) && !hasFewRecords(facts) ? 'yes' : 'no'))

export const inactive = choice(({ main }) => (main === 0 ? 'yes' : 'no'))

/** The standard that a rated day is compared with, in words. */
export const yardstick = choice(yardstickOf)

export const dataName = always(({ metric }, say) => say('DATA_NAME', { metric }))

export const scope = choice(({ family, isCurrent, mode, window }) => {
  if (window !== 'day') return isCurrent ? 'open_period' : 'past_period'
  const isNow = mode === 'today_so_far'
  if (family === 'rest') return isNow ? 'tonight' : 'night'
  return isNow ? 'now' : 'past'
})

/**
 * One decimal where the rounded vital of an out-of-range day would lie on a rounded bound, and so look like in range.
 */
function decimalsOf(facts: Facts): 0 | 1 {
  const { family, main } = facts
  if (family !== 'vital' || main === undefined) return 0
  return readBounds(facts)?.some((bound) => roundsToSameText(bound, main)) ? 1 : 0
}
