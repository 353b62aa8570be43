import {
  activityAverage,
  activityTail,
  attentionDays,
  barkFactOfDay,
  barkFactOfPeriod,
  barks,
  barkTail,
  base,
  type Clause,
  dataName,
  dayLead,
  direction,
  duration,
  durationBelowGoal,
  gap,
  goal,
  highDays,
  inactive,
  leadWithoutBasis,
  limitClause,
  limitNote,
  limitOfCalmDay,
  lowDays,
  nightLead,
  periodLead,
  quiet,
  quietOfPeriod,
  quietOfRatedPeriod,
  rangeNote,
  rangeOfDay,
  ratedDays,
  reasons,
  restAverage,
  restFact,
  restTail,
  scope,
  share,
  species,
  streakOfDays,
  streakOfNights,
  todayLead,
  verdict,
  vital,
  vitalFactOfDay,
  vitalFactOfPeriod,
  vitalTail,
  vitalValue,
  wakes,
  wakesSoFar,
  yardstick,
} from './clauses.js'
import type { Situation } from './situation.js'
import { type Metric, metrics, type Status } from './types.js'

/** One sentence of the catalog: when it is said, with which status and advice, and what fills its arguments. */
export interface Scenario {
  /** Key of the sentence in `catalog/insight/`, and name of its fixture. */
  readonly id: string
  /** The cases in which it is said, in plain words. */
  readonly condition: string
  /** The same for the machine: said when one of these fits. Every valid payload fits exactly one scenario. */
  readonly when: readonly Partial<Situation>[]
  /** `counted`: attention where at least one attention day was counted, else observation. */
  readonly status: Status | 'counted'
  /** Supplement given with status attention, unless the payload says that the direction is not worse. */
  readonly advice?: string
  /** The arguments of the sentence in addition to `name`. */
  readonly clauses: Readonly<Record<string, Clause>>
}

/**
 * All sentences and when they are said, grouped by what they are about.
 * Source: health detail contract, 2.2.1, 2.3 and 2.6.7.
 */
export const scenarios: readonly Scenario[] = [
  // Activity
  {
    id: 'ACTIVITY_TODAY_BELOW_GOAL',
    condition: 'activity today, a goal is set and not reached yet',
    when: [{ family: 'activity', view: 'today', main: 'sent', goal: 'below' }],
    status: 'observation',
    clauses: { lead: todayLead, duration: durationBelowGoal, gap, goal, inactive },
  },
  {
    id: 'ACTIVITY_TODAY_GOAL_MET',
    condition: 'activity today, a goal is set and reached',
    when: [{ family: 'activity', view: 'today', main: 'sent', goal: 'met' }],
    status: 'observation',
    clauses: { lead: todayLead, duration, goal },
  },
  {
    id: 'ACTIVITY_TODAY_NO_GOAL',
    condition: 'activity today, no goal is set',
    when: [{ family: 'activity', view: 'today', main: 'sent', goal: 'none' }],
    status: 'observation',
    clauses: { lead: todayLead, duration, inactive },
  },
  {
    id: 'ACTIVITY_DAY_IN_RANGE',
    condition: 'activity on a past day, rated normal',
    when: [{ family: 'activity', view: 'day', verdict: 'in_range' }],
    status: 'normal',
    clauses: { lead: dayLead, yardstick, duration, range: rangeOfDay, inactive },
  },
  {
    id: 'ACTIVITY_DAY_HIGH',
    condition: 'activity on a past day, rated high (or unsteady and upwards)',
    when: [{ family: 'activity', view: 'day', verdict: 'high' }],
    status: 'attention',
    advice: 'ADVICE_ACTIVITY_HIGH',
    clauses: { lead: dayLead, yardstick, duration, range: rangeOfDay, streak: streakOfDays, inactive },
  },
  {
    id: 'ACTIVITY_DAY_LOW',
    condition: 'activity on a past day, rated low (or unsteady and downwards)',
    when: [{ family: 'activity', view: 'day', verdict: 'low' }],
    status: 'attention',
    advice: 'ADVICE_ACTIVITY_LOW',
    clauses: { lead: dayLead, yardstick, duration, range: rangeOfDay, streak: streakOfDays, inactive },
  },
  {
    id: 'ACTIVITY_DAY_UNRATED',
    condition: 'activity on a past day, not rated (or unsteady, neither up nor down)',
    when: [{ family: 'activity', view: 'day', verdict: 'unrated', main: 'sent' }],
    status: 'observation',
    clauses: { lead: dayLead, duration, rangeNote, inactive },
  },
  {
    id: 'ACTIVITY_PERIOD_IN_RANGE',
    condition: 'activity in a week or month, enough rated days, none of them unusual',
    when: [{ family: 'activity', view: 'period', conclusion: 'in_range' }],
    status: 'normal',
    clauses: { lead: periodLead, verdict, days: ratedDays, average: activityAverage, base },
  },
  {
    id: 'ACTIVITY_PERIOD_MIXED_DAYS',
    condition: 'activity in a week or month, unusual days, some low and some high',
    when: [{ family: 'activity', view: 'period', conclusion: 'unusual', split: 'mixed' }],
    status: 'attention',
    advice: 'ADVICE_ACTIVITY_UNEVEN',
    clauses: { lead: periodLead, lowDays, highDays, average: activityAverage },
  },
  {
    id: 'ACTIVITY_PERIOD_LOW_DAYS',
    condition: 'activity in a week or month, unusual days, all of them low',
    when: [{ family: 'activity', view: 'period', conclusion: 'unusual', split: 'low' }],
    status: 'attention',
    advice: 'ADVICE_ACTIVITY_LOW',
    clauses: { lead: periodLead, lowDays, average: activityAverage, share, base },
  },
  {
    id: 'ACTIVITY_PERIOD_HIGH_DAYS',
    condition: 'activity in a week or month, unusual days, all of them high',
    when: [{ family: 'activity', view: 'period', conclusion: 'unusual', split: 'high' }],
    status: 'attention',
    advice: 'ADVICE_ACTIVITY_HIGH',
    clauses: { lead: periodLead, highDays, average: activityAverage, share, base },
  },
  {
    id: 'ACTIVITY_PERIOD_UNUSUAL_DAYS',
    condition: 'activity in a week or month, unusual days, without saying how many were low and how many high',
    when: [{ family: 'activity', view: 'period', conclusion: 'unusual', split: 'unknown' }],
    status: 'attention',
    advice: 'ADVICE_ACTIVITY_UNEVEN',
    clauses: { lead: periodLead, average: activityAverage, unusualDays: attentionDays, days: ratedDays, share, base },
  },
  {
    id: 'ACTIVITY_PERIOD_UNRATED',
    condition: 'activity in a week or month, not rated or too few rated days (fewer than 3 in a week, 10 in a month)',
    when: [{ family: 'activity', view: 'period', conclusion: 'none', main: 'sent' }],
    status: 'observation',
    clauses: { lead: periodLead, inactive, duration, tail: activityTail },
  },

  // Rest
  {
    id: 'REST_TODAY_IN_PROGRESS',
    condition: 'rest of the night that is still going on',
    when: [{ family: 'rest', view: 'today', main: 'sent' }],
    status: 'observation',
    clauses: { lead: todayLead, duration, wakes: wakesSoFar, inactive },
  },
  {
    id: 'REST_NIGHT_UNRATED',
    condition: 'rest of a night, not rated',
    when: [{ family: 'rest', view: 'day', verdict: 'unrated', main: 'sent' }],
    status: 'observation',
    clauses: { lead: nightLead, duration, wakes, inactive },
  },
  {
    id: 'REST_NIGHT_GOOD',
    condition: 'rest of a night, rated Good',
    when: [{ family: 'rest', view: 'day', verdict: 'in_range' }],
    status: 'normal',
    clauses: { lead: nightLead, fact: restFact },
  },
  {
    id: 'REST_NIGHT_FAIR',
    condition: 'rest of a night, rated Fair (attention only where it counts as a low night)',
    when: [{ family: 'rest', view: 'day', verdict: 'fair' }],
    status: 'counted',
    advice: 'ADVICE_REST',
    clauses: { lead: nightLead, fact: restFact, reasons, streak: streakOfNights },
  },
  {
    id: 'REST_NIGHT_POOR',
    condition: 'rest of a night, rated Poor',
    when: [{ family: 'rest', view: 'day', verdict: 'poor' }],
    status: 'attention',
    advice: 'ADVICE_REST',
    clauses: { lead: nightLead, fact: restFact, reasons, streak: streakOfNights },
  },
  {
    id: 'REST_PERIOD_IN_RANGE',
    condition: 'rest in a week or month, enough rated nights, none of them low',
    when: [{ family: 'rest', view: 'period', conclusion: 'in_range' }],
    status: 'normal',
    clauses: { lead: periodLead, verdict, nights: ratedDays, average: restAverage, base },
  },
  {
    id: 'REST_PERIOD_LOW_NIGHTS',
    condition: 'rest in a week or month, enough rated nights, at least one of them low',
    when: [{ family: 'rest', view: 'period', conclusion: 'unusual' }],
    status: 'attention',
    advice: 'ADVICE_REST',
    clauses: { lead: periodLead, lowNights: attentionDays, nights: ratedDays, average: restAverage, share, base },
  },
  {
    id: 'REST_PERIOD_UNRATED',
    condition: 'rest in a week or month, not rated or too few rated nights (fewer than 3 in a week, 10 in a month)',
    when: [{ family: 'rest', view: 'period', conclusion: 'none', main: 'sent' }],
    status: 'observation',
    clauses: { lead: periodLead, duration, tail: restTail },
  },

  // Heart rate, heart rate variability, breathing rate
  {
    id: 'VITAL_TODAY',
    condition: 'one vital sign today',
    when: [{ family: 'vital', view: 'today', main: 'sent' }],
    status: 'observation',
    clauses: { lead: todayLead, vital, value: vitalValue, rangeNote },
  },
  {
    id: 'VITAL_DAY_IN_RANGE',
    condition: 'one vital sign on a past day, rated normal or balanced',
    when: [{ family: 'vital', view: 'day', verdict: 'in_range' }],
    status: 'normal',
    clauses: { lead: dayLead, yardstick, vital, fact: vitalFactOfDay, range: rangeOfDay },
  },
  {
    id: 'VITAL_DAY_OUT_OF_RANGE',
    condition: 'one vital sign on a past day, rated low or high (or unsteady and downwards or upwards)',
    when: [
      { family: 'vital', view: 'day', verdict: 'low' },
      { family: 'vital', view: 'day', verdict: 'high' },
    ],
    status: 'attention',
    advice: 'ADVICE_VITAL',
    clauses: {
      lead: dayLead,
      yardstick,
      vital,
      fact: vitalFactOfDay,
      direction,
      range: rangeOfDay,
      streak: streakOfDays,
    },
  },
  {
    id: 'VITAL_DAY_UNRATED',
    condition: 'one vital sign on a past day, not rated (or unsteady, neither up nor down)',
    when: [{ family: 'vital', view: 'day', verdict: 'unrated', main: 'sent' }],
    status: 'observation',
    clauses: { lead: dayLead, vital, value: vitalValue, rangeNote },
  },
  {
    id: 'VITAL_PERIOD_IN_RANGE',
    condition: 'one vital sign in a week or month, enough rated days, none of them unusual',
    when: [{ family: 'vital', view: 'period', conclusion: 'in_range' }],
    status: 'normal',
    clauses: { lead: periodLead, vital, fact: vitalFactOfPeriod, verdict, days: ratedDays, base },
  },
  {
    id: 'VITAL_PERIOD_UNUSUAL_DAYS',
    condition: 'one vital sign in a week or month, enough rated days, at least one of them unusual',
    when: [{ family: 'vital', view: 'period', conclusion: 'unusual' }],
    status: 'attention',
    advice: 'ADVICE_VITAL',
    clauses: {
      lead: periodLead,
      vital,
      fact: vitalFactOfPeriod,
      unusualDays: attentionDays,
      days: ratedDays,
      share,
      base,
    },
  },
  {
    id: 'VITAL_PERIOD_UNRATED',
    condition:
      'one vital sign in a week or month, not rated or too few rated days (fewer than 3 in a week, 10 in a month)',
    when: [{ family: 'vital', view: 'period', conclusion: 'none', main: 'sent' }],
    status: 'observation',
    clauses: { lead: periodLead, vital, value: vitalValue, tail: vitalTail },
  },

  // Barking
  {
    id: 'BARK_TODAY',
    condition: 'barking today',
    when: [{ family: 'bark', view: 'today', main: 'sent' }],
    status: 'observation',
    clauses: { species, lead: todayLead, quiet, duration, events: barks, limit: limitClause },
  },
  {
    id: 'BARK_DAY_CALM',
    condition: 'barking on a past day, rated calm',
    when: [{ family: 'bark', view: 'day', verdict: 'in_range' }],
    status: 'normal',
    clauses: { species, lead: dayLead, yardstick, quiet, fact: barkFactOfDay, limit: limitOfCalmDay },
  },
  {
    id: 'BARK_DAY_ACTIVE',
    condition: 'barking on a past day, rated active (attention only where it counts as an unusual day)',
    when: [{ family: 'bark', view: 'day', verdict: 'active' }],
    status: 'counted',
    advice: 'ADVICE_BARK',
    clauses: { species, lead: dayLead, yardstick, fact: barkFactOfDay, limit: limitNote, streak: streakOfDays },
  },
  {
    id: 'BARK_DAY_FREQUENT',
    condition: 'barking on a past day, rated frequent',
    when: [{ family: 'bark', view: 'day', verdict: 'high' }],
    status: 'attention',
    advice: 'ADVICE_BARK',
    clauses: { species, lead: dayLead, yardstick, fact: barkFactOfDay, limit: limitNote, streak: streakOfDays },
  },
  {
    id: 'BARK_DAY_UNRATED',
    condition: 'barking on a past day, not rated',
    when: [{ family: 'bark', view: 'day', verdict: 'unrated', main: 'sent' }],
    status: 'observation',
    clauses: { species, lead: dayLead, quiet, duration, events: barks, limit: limitClause },
  },
  {
    id: 'BARK_PERIOD_IN_RANGE',
    condition: 'barking in a week or month, enough rated days, none of them unusual',
    when: [{ family: 'bark', view: 'period', conclusion: 'in_range' }],
    status: 'normal',
    clauses: { species, lead: periodLead, quiet: quietOfRatedPeriod, fact: barkFactOfPeriod, days: ratedDays, base },
  },
  {
    id: 'BARK_PERIOD_UNUSUAL_DAYS',
    condition: 'barking in a week or month, enough rated days, at least one of them unusual',
    when: [{ family: 'bark', view: 'period', conclusion: 'unusual' }],
    status: 'attention',
    advice: 'ADVICE_BARK',
    clauses: {
      species,
      lead: periodLead,
      fact: barkFactOfPeriod,
      unusualDays: attentionDays,
      days: ratedDays,
      share,
      base,
    },
  },
  {
    id: 'BARK_PERIOD_UNRATED',
    condition: 'barking in a week or month, not rated or too few rated days (fewer than 3 in a week, 10 in a month)',
    when: [{ family: 'bark', view: 'period', conclusion: 'none', main: 'sent' }],
    status: 'observation',
    clauses: { species, lead: periodLead, quiet: quietOfPeriod, duration, events: barks, tail: barkTail },
  },

  // Any metric
  {
    id: 'INSUFFICIENT_DATA',
    condition: 'any page without its main number, and without a rating that says anything',
    when: [
      { view: 'today', main: 'missing' },
      { view: 'day', verdict: 'unrated', main: 'missing' },
      { view: 'period', conclusion: 'none', main: 'missing' },
    ],
    status: 'insufficient_data',
    clauses: { lead: leadWithoutBasis, scope, data: dataName },
  },
]

/** Checks whether the scenario applies in this situation. */
export function fits(scenario: Scenario, situation: Situation): boolean {
  return scenario.when.some((conditions) =>
    Object.entries(conditions).every(([question, answer]) => situation[question as keyof Situation] === answer),
  )
}

/**
 * The statuses that an answer with this scenario may have, the usual one first: a day that is counted, or that does not
 * count as worse, may also be a mere observation.
 */
export function statusesOf({ status, when }: Scenario): readonly Status[] {
  if (status === 'counted') return ['observation', 'attention']
  return status === 'attention' && when[0]?.view === 'day' ? ['attention', 'observation'] : [status]
}

/** The rule IDs that an answer with this scenario may carry. Source: health detail contract, 2.5. */
export function ruleIdsOf(scenario: Scenario): readonly string[] {
  const [conditions = {}] = scenario.when
  const kinds =
    scenario.status === 'insufficient_data'
      ? ['INSUFFICIENT_DATA']
      : conditions.view === 'today'
        ? ['IN_PROGRESS_SUMMARY']
        : scenario.status === 'observation' && (conditions.family === 'activity' || conditions.family === 'bark')
          ? ['SUPPLIED_JUDGMENT', 'FACT_SUMMARY']
          : ['SUPPLIED_JUDGMENT']
  return metricsOf(scenario).flatMap((metric) => kinds.map((kind) => `${metric.toUpperCase()}_${kind}`))
}

/** The metrics whose pages may get this scenario. */
export function metricsOf({ when }: Scenario): readonly Metric[] {
  const family = when[0]?.family
  if (family === undefined) return metrics
  return family === 'vital' ? ['hr', 'hrv', 'rr'] : [family]
}
