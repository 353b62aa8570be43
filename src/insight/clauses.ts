import type { Facts } from './facts.js'
import { formatClock, formatDay, formatNight, formatVital, roundHalfUp, splitDuration } from './format.js'
import { hasFewRecords } from './situation.js'

/** Renders one text of the catalog in the language of the insight. */
export type Say = (id: string, values?: Readonly<Record<string, string | number>>) => string

/** One argument of a scenario's sentence. An empty text means that the clause is left out. */
export interface Clause {
  /** A text stands in the sentence; a choice selects among its words. */
  readonly kind: 'text' | 'choice'
  /** When it is shown, in plain words: the second half of "shown when …". */
  readonly shownWhen: string
  readonly render: (facts: Facts, say: Say) => string | number
}

const always = (render: Clause['render']): Clause => ({ kind: 'text', shownWhen: 'always', render })
const when = (shownWhen: string, render: Clause['render']): Clause => ({
  kind: 'text',
  shownWhen,
  render,
})
const choice = (render: Clause['render']): Clause => ({ kind: 'choice', shownWhen: 'always', render })

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

export const restFact = when('the night rest minutes were sent', (facts, say) =>
  facts.main === undefined
    ? ''
    : say('REST_FACT', { duration: sayDuration(facts.main, say), wakes: sayWakes('WAKES_LIST', facts, say) }),
)

const wakesSent = 'interruptions.count was sent'
export const wakes = when(wakesSent, (facts, say) => sayWakes('WAKES_TAIL', facts, say))
export const wakesSoFar = when(wakesSent, (facts, say) => sayWakes('WAKES_SO_FAR', facts, say))

export const vitalFactOfDay = always((facts, say) =>
  facts.main === undefined
    ? say('VITAL_FACT_DAY', { has: 'no', value: '' })
    : say('VITAL_FACT_DAY', { has: 'yes', value: sayVital(facts, facts.main, 0, say) }),
)

export const vitalFactOutOfRange = always((facts, say) =>
  facts.main === undefined
    ? say('VITAL_FACT_DAY', { has: 'no', value: '' })
    : say('VITAL_FACT_DAY', { has: 'yes', value: sayVital(facts, facts.main, decimalsOf(facts), say) }),
)

export const vitalFactOfPeriod = when('an average was sent', (facts, say) => {
  if (facts.main === undefined) return say('VITAL_FACT_PERIOD', { has: 'no', value: '', change: '' })
  const value = sayVital(facts, facts.main, 0, say)
  const change = sayChange('CHANGE_LEVEL', facts, say)
  return say('VITAL_FACT_PERIOD', { has: change === '' ? 'value' : 'change', value, change })
})

export const barkFactOfDay = when('a bark duration above 0 was sent', (facts, say) =>
  facts.main === undefined || facts.main === 0
    ? ''
    : say('BARK_FACT_DAY', { duration: sayApproximate(facts.main, say), events: sayBarks(facts, say) }),
)

export const barkFactOfPeriod = when('an average bark duration was sent', (facts, say) => {
  if (facts.main === undefined) return say('BARK_FACT_PERIOD', { has: 'no', duration: '', events: '', change: '' })
  const change = facts.main === 0 ? '' : sayChange('CHANGE_AMOUNT', facts, say)
  return say('BARK_FACT_PERIOD', {
    has: change === '' ? 'value' : 'change',
    duration: sayApproximate(facts.main, say),
    events: sayBarks(facts, say),
    change,
  })
})

export const barks = when('a count of barks above 0 was sent', sayBarks)

// Comparisons

const rangeSent = 'both usual bounds were sent, in order, and the page is not rated by breed or general values'

export const range = when(rangeSent, (facts, say) => sayRange('RANGE', facts, 0, say))
export const rangeOutOfRange = when(rangeSent, (facts, say) => sayRange('RANGE', facts, decimalsOf(facts), say))
export const rangeNote = when(rangeSent, (facts, say) => sayRange('RANGE_NOTE', facts, 0, say))

const limitSent = 'usualUpper was sent and the page is not rated by breed or general values'
export const limitNote = when(limitSent, (facts, say) => sayLimit('BARK_LIMIT_NOTE', facts, say))
export const limitClause = when(limitSent, (facts, say) => sayLimit('BARK_LIMIT_CLAUSE', facts, say))

const streakSent = 'consecutiveUnusualDays is 2 or more'
export const streakOfDays = when(streakSent, ({ comparison }, say) => {
  const days = comparison.consecutiveUnusualDays ?? 0
  return days >= 2 ? say('STREAK_DAYS', { days }) : ''
})
export const streakOfNights = when(streakSent, ({ comparison }, say) => {
  const nights = comparison.consecutiveUnusualDays ?? 0
  return nights >= 2 ? say('STREAK_NIGHTS', { nights }) : ''
})

/** The first two factors that have a text, in the order sent. */
export const reasons = when('restRatingFactors names a factor that has a text', ({ comparison }, say) => {
  const known = comparison.restRatingFactors.map((factor) => say('FACTOR', { factor })).filter((text) => text !== '')
  const [first = '', second = ''] = known
  return first === '' ? '' : say('REASONS', { count: Math.min(known.length, 2), first, second })
})

const averageSent = 'the average was sent'
export const activityAverage = when(averageSent, (facts, say) => sayAverage('ACTIVITY_AVERAGE', facts, say))
export const restAverage = when(averageSent, (facts, say) => sayAverage('REST_AVERAGE', facts, say))

/** Closes a sentence about a period without a conclusion: how little it rests on, else the change. */
const tailOf = (fewId: string, unit: 'days' | 'nights', changeId: ChangeId): Clause =>
  when('few days have records, or else changePercent was sent', (facts, say) => {
    if (hasFewRecords(facts)) return say(fewId, { [unit]: facts.recordCount ?? 0 })
    return facts.family === 'bark' && facts.main === 0 ? '' : sayChange(changeId, facts, say)
  })

export const activityTail = tailOf('FEW_DAYS', 'days', 'CHANGE_AMOUNT')
export const restTail = tailOf('FEW_NIGHTS', 'nights', 'CHANGE_AMOUNT')
export const vitalTail = tailOf('FEW_NIGHTS', 'nights', 'CHANGE_LEVEL')
export const barkTail = tailOf('FEW_DAYS_CLAUSE', 'days', 'CHANGE_AMOUNT')

// Choices inside a sentence

/** Whether a period without attention days may be called "within its usual range": only where the rating says so. */
export const verdict = choice(({ judgment }) =>
  ['normal', 'balanced', 'Good', 'calm'].includes(judgment?.rating ?? '') ? 'usual' : 'other',
)

export const direction = choice(({ judgment }) =>
  judgment?.rating === 'low' || (judgment?.rating === 'fluctuating' && judgment.direction === -1) ? 'low' : 'high',
)

export const quiet = choice(({ main }) => (main === 0 ? 'yes' : 'no'))

export const dataName = always(({ metric }, say) => say('DATA_NAME', { metric }))

export const scope = choice(({ isCompleted, mode, window }) => {
  if (isCompleted || mode === 'last_night') return 'past'
  return window === 'day' ? 'now' : 'open_period'
})

// Words shared by the clauses above

function periodWord({ isCurrent, window }: Facts): string {
  return `${isCurrent ? 'this' : 'that'}_${window}`
}

/** A duration in minutes, in words. */
export function sayDuration(minutes: number, say: Say): string {
  return say('DURATION', splitDuration(minutes))
}

/** A bark duration in seconds, as an approximate one. Source: health detail contract, 2.6.3. */
function sayApproximate(seconds: number, say: Say): string {
  const minutes = seconds / 60
  const size = seconds > 0 && roundHalfUp(minutes) === 0 ? 'under' : 'other'
  return say('APPROX_DURATION', { size, duration: sayDuration(minutes, say) })
}

function sayVital({ locale, metric }: Facts, value: number, decimals: 0 | 1, say: Say): string {
  return say('VITAL_VALUE', { metric, value: formatVital(locale, value, decimals) })
}

/** One decimal where the rounded value of an out-of-range day would lie on a rounded bound, and so look like in range. */
function decimalsOf(facts: Facts): 0 | 1 {
  const { main } = facts
  return main !== undefined && usualBounds(facts).some((bound) => roundHalfUp(bound) === roundHalfUp(main)) ? 1 : 0
}

/**
 * The usual range as [lower, upper], or nothing where it must not be stated: a range is personal only, so never beside a
 * breed or general basis. Source: health detail contract, 2.2.1.
 */
function usualBounds({ comparison }: Facts): readonly number[] {
  const { basis, usualLower, usualUpper } = comparison
  if (basis !== 'none' || usualLower === undefined || usualUpper === undefined || usualLower > usualUpper) return []
  return [Math.max(0, usualLower), Math.max(0, usualUpper)]
}

function sayRange(id: 'RANGE' | 'RANGE_NOTE', facts: Facts, decimals: 0 | 1, say: Say): string {
  const [lower, upper] = usualBounds(facts).map((bound) =>
    facts.family === 'vital' ? formatVital(facts.locale, bound, decimals) : sayDuration(bound, say),
  )
  if (lower === undefined || upper === undefined) return ''
  const unit = facts.family === 'vital' ? 'VITAL_RANGE_UNIT' : 'DURATION_RANGE_UNIT'
  return say(id, { range: say(unit, { metric: facts.metric, lower, upper }) })
}

/** At least a minute: "not above less than 1 min" reads badly. */
function sayLimit(id: 'BARK_LIMIT_NOTE' | 'BARK_LIMIT_CLAUSE', { comparison }: Facts, say: Say): string {
  const { basis, usualUpper } = comparison
  return usualUpper === undefined || basis !== 'none'
    ? ''
    : say(id, { limit: sayApproximate(Math.max(60, usualUpper), say) })
}

function sayWakes(id: string, { eventCount }: Facts, say: Say): string {
  return eventCount === undefined ? '' : say(id, { count: roundHalfUp(eventCount) })
}

/** The count of barks; a count of 0 beside a duration would contradict it and is left out. */
function sayBarks({ eventCount, window }: Facts, say: Say): string {
  if (eventCount === undefined || eventCount === 0) return ''
  return say(window === 'day' ? 'BARK_EVENTS' : 'BARK_EVENTS_DAILY', { count: roundHalfUp(eventCount) })
}

function sayAverage(id: string, facts: Facts, say: Say): string {
  if (facts.main === undefined) return ''
  return say(id, { duration: sayDuration(facts.main, say), change: sayChange('CHANGE_AMOUNT', facts, say) })
}

type ChangeId = 'CHANGE_AMOUNT' | 'CHANGE_LEVEL'

const changeWords: Readonly<Record<ChangeId, readonly [down: string, up: string]>> = {
  CHANGE_AMOUNT: ['less', 'more'],
  CHANGE_LEVEL: ['lower', 'higher'],
}

/** Change against the period before: a whole percentage without sign, the word follows the sign. Source: health detail contract, 2.6.2. */
function sayChange(id: ChangeId, facts: Facts, say: Say): string {
  const { changePercent } = facts.comparison
  if (changePercent === undefined) return ''
  const percent = roundHalfUp(Math.abs(changePercent))
  const [down, up] = changeWords[id]
  const word = percent === 0 ? 'same' : changePercent < 0 ? down : up
  return say(id, { direction: word, percent, previous: say('PREVIOUS_PERIOD', { period: periodWord(facts) }) })
}
