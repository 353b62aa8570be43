import {
  type ChangeId,
  decimalsOf,
  isSilent,
  periodWord,
  readBounds,
  sayApproximate,
  sayAverage,
  sayBarks,
  sayChange,
  sayDuration,
  sayLimit,
  sayRange,
  saySomeDuration,
  sayVital,
  sayVitalFact,
  yardstickOf,
} from './clause-words.js'
import {
  basisIsPersonal,
  boundsTellApart,
  type Condition,
  factorsSent,
  fewOrChanged,
  limitAboveDuration,
  limitBelowDuration,
  limitSent,
  mainKnown,
  rangeFitsVerdict,
  rangeSent,
  someActivity,
  someBarking,
  someBarks,
  someRest,
  streakSent,
  wakesSent,
} from './conditions.js'
import { type Facts, restFactors } from './facts.js'
import { formatClock, formatDay, formatNight, roundHalfUp } from './format.js'
import type { Say } from './say.js'
import { hasFewRecords, readSituation } from './situation.js'

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

// Openings

type Basis = Facts['comparison']['basis']

function sayTodayLead({ locale, observedMinuteOfDay }: Facts, basis: Basis, say: Say): string {
  const time = formatClock(locale, observedMinuteOfDay)
  return say('LEAD_TODAY', { basis, time, hour: Math.floor(observedMinuteOfDay / 60) })
}

function sayDayLead(facts: Facts, basis: Basis, say: Say): string {
  const { locale, startDay, today } = facts
  return say('LEAD_DAY', { basis, judged: judged(facts), date: formatDay(locale, startDay, today) })
}

function sayNightLead(facts: Facts, basis: Basis, say: Say): string {
  const { locale, mode, startDay, today } = facts
  const night = mode === 'last_night' ? 'last' : 'dated'
  return say('LEAD_NIGHT', { basis, judged: judged(facts), night, nightSpan: formatNight(locale, startDay, today) })
}

/** `yes` if the text of a past day has a verdict: one of a calm day without barking only says so. */
function judged(facts: Facts): 'yes' | 'no' {
  const { verdict } = readSituation(facts)
  return verdict === 'unrated' || (verdict === 'in_range' && facts.family === 'bark' && isSilent(facts)) ? 'no' : 'yes'
}

export const todayLead = always((facts, say) => sayTodayLead(facts, facts.comparison.basis, say))
export const dayLead = always((facts, say) => sayDayLead(facts, facts.comparison.basis, say))
export const nightLead = always((facts, say) => sayNightLead(facts, facts.comparison.basis, say))
export const periodLead = always((facts, say) => say('LEAD_PERIOD', { period: periodWord(facts) }))

/**
 * The opening that fits the window, for a text without a value.
 * @NOTE contract: 2.2.1 states the basis of a day's evaluation first; without a value nothing is evaluated.
 */
export const leadWithoutBasis = always((facts, say) => {
  if (facts.window !== 'day') return periodLead.render(facts, say)
  if (facts.mode === 'today_so_far') return sayTodayLead(facts, 'none', say)
  return (facts.family === 'rest' ? sayNightLead : sayDayLead)(facts, 'none', say)
})

// Amounts

export const duration = always(({ family, main }, say) =>
  family === 'bark' ? sayApproximate(main ?? 0, say) : saySomeDuration(main ?? 0, say),
)

/** Less than the goal, also when both are rounded. */
export const durationBelowGoal = always((facts, say) => saySomeDuration(minutesBelowGoal(facts), say))

export const goal = always(({ goalMinutes }, say) => sayDuration(goalMinutes ?? 0, say))

/** The difference of the two durations as they are printed: at least a minute. */
export const gap = always((facts, say) =>
  sayDuration(roundHalfUp(facts.goalMinutes ?? 0) - minutesBelowGoal(facts), say),
)

function minutesBelowGoal({ goalMinutes, main }: Facts): number {
  return Math.min(roundHalfUp(main ?? 0), roundHalfUp(goalMinutes ?? 0) - 1)
}

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

export const restFact = shownWhen([mainKnown, someRest], (facts, say) =>
  say('REST_FACT', { duration: sayDuration(facts.main ?? 0, say), wakes: renderClause(wakesListed, facts, say) }),
)

export const vitalFactOfDay = always((facts, say) =>
  sayVitalFact(facts, rangeOfDay.when.every(({ holds }) => holds(facts)) ? decimalsOf(facts) : 0, say),
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
    species: facts.species,
    has: change === '' ? 'value' : 'change',
    duration: sayApproximate(facts.main ?? 0, say),
    events: sayBarks(facts, say),
    change,
  })
})

export const barks = shownWhen([someBarks], sayBarks)

// Comparisons

const rangeShown = [rangeSent, basisIsPersonal, boundsTellApart]
export const rangeOfDay: Clause = shownWhen([...rangeShown, rangeFitsVerdict], (facts, say) =>
  sayRange('RANGE', facts, decimalsOf(facts), say),
)
export const rangeNote = shownWhen(rangeShown, (facts, say) => sayRange('RANGE_NOTE', facts, 0, say))

const limitShown = [limitSent, basisIsPersonal]
/** Of a day with more barking than usual. */
export const limitNote = shownWhen([...limitShown, limitBelowDuration], (facts, say) =>
  sayLimit('BARK_LIMIT_NOTE', facts, say),
)
export const limitClause = shownWhen(limitShown, (facts, say) => sayLimit('BARK_LIMIT_CLAUSE', facts, say))
/** A day without barking compares nothing, and says its limit as an unrated day does. */
export const limitOfCalmDay = shownWhen([...limitShown, limitAboveDuration], (facts, say) =>
  sayLimit(isSilent(facts) ? 'BARK_LIMIT_CLAUSE' : 'BARK_LIMIT_NOTE', facts, say),
)

export const streakOfDays = shownWhen([streakSent], (facts, say) =>
  say('STREAK_DAYS', { days: facts.comparison.consecutiveUnusualDays ?? 0, yardstick: yardstickOf(facts) }),
)
export const streakOfNights = shownWhen([streakSent], ({ comparison }, say) =>
  say('STREAK_NIGHTS', { nights: comparison.consecutiveUnusualDays ?? 0 }),
)

/**
 * The first two factors that the texts name, in the order sent, without those that the facts contradict; short stretches of
 * rest go without saying where rest was short. With a basis and a streak there is room for one: the limit of the whole
 * text holds for the longest that can be made.
 */
export const reasons = shownWhen([factorsSent], (facts, say) => {
  const most = streakSent.holds(facts) && !basisIsPersonal.holds(facts) ? 1 : 2
  const factors = [...new Set(facts.comparison.restRatingFactors)]
    .filter((factor) => restFactors.has(factor) && !isContradicted(factor, facts))
    .slice(0, most)
  const [first = '', second = ''] = factors
    .filter((factor) => factor !== 'longestRestBlock' || !factors.includes('duration'))
    .map((factor) => say('FACTOR', { factor, yardstick: yardstickOf(facts) }))
  return first === '' ? '' : say('REASONS', { count: second === '' ? 1 : 2, first, second })
})

/** A night without wakes did not have too many, and one longer than usual was not too short. */
function isContradicted(factor: string, facts: Facts): boolean {
  if (factor === 'interruptions') return roundHalfUp(facts.eventCount ?? 1) === 0
  const [, upper = Infinity] = readBounds(facts) ?? []
  return factor === 'duration' && basisIsPersonal.holds(facts) && (facts.main ?? 0) > upper
}

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

/** Selects neutral words for barking: a cat does not bark. */
export const species = choice((facts) => facts.species)

export const quiet = choice((facts) => (isSilent(facts) ? 'yes' : 'no'))

/** If a day that is over has no record, or none is over, the text cannot say that a pet was quiet: only that no barking was recorded. */
export const quietOfPeriod = choice((facts) => {
  if (!isSilent(facts)) return 'no'
  const { daysOver, recordCount = daysOver } = facts
  return recordCount === 0 || recordCount < daysOver ? 'unknown' : 'yes'
})

/** With few records, a rated period says no more than its rating does. */
export const quietOfRatedPeriod = choice((facts, say) =>
  hasFewRecords(facts) ? 'no' : quietOfPeriod.render(facts, say),
)

/** `yes` if no activity, or no rest, was recorded. */
export const inactive = choice(({ main }) => (main === 0 ? 'yes' : 'no'))

/** Tells whether every rated day or night was unusual, and whether all that are over were rated. */
export const share = choice(({ judgment }) => (judgment?.attentionDays === judgment?.ratedDays ? 'all' : 'some'))
export const base = choice(({ daysOver, judgment }) => ((judgment?.ratedDays ?? 0) < daysOver ? 'rated' : 'over'))

/** The standard that a rated day is compared with, in words. */
export const yardstick = choice(yardstickOf)

export const dataName = always(({ metric, species, window }, say) =>
  say('DATA_NAME', {
    metric: metric === 'bark' && species === 'cat' ? 'cat_bark' : metric,
    average: window === 'day' ? 'no' : 'yes',
  }),
)

export const scope = choice(({ family, isCurrent, isNotYetObserved, mode, window }) => {
  if (isNotYetObserved) return 'not_yet'
  if (window !== 'day') return isCurrent ? 'open_period' : 'past_period'
  const isNow = mode === 'today_so_far'
  if (family === 'rest') return isNow ? 'tonight' : 'night'
  return isNow ? 'now' : 'past'
})
