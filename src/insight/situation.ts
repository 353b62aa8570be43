import type { Facts } from './facts.js'
import type { Family } from './vitals.js'

/**
 * The facts that decide which scenario a payload gets, and nothing else: each member is one question with few answers.
 * No range, no change against another period and no language is in it, so none of them can change the decision.
 * Source: health detail contract, 1, 2.2.1 and 2.3.
 */
export interface Situation {
  readonly family: Family
  /** today: today up to now. day: one past day or night. period: a week or month. */
  readonly view: 'today' | 'day' | 'period'
  /** Says whether the number that the page is about was sent. */
  readonly main: 'sent' | 'missing'
  /** Activity today against the daily goal. */
  readonly goal: 'none' | 'below' | 'met'
  /** The rating of one day; unrated also when the rating says nothing about a single day. */
  readonly verdict: DayVerdict
  /** The conclusion about a whole week or month: `none` while too few days are rated. */
  readonly conclusion: 'none' | 'in_range' | 'unusual'
  /** Activity in a week or month: which way the attention days went, where that accounts for all of them. */
  readonly split: 'low' | 'high' | 'mixed' | 'unknown'
}

export type DayVerdict = 'unrated' | 'in_range' | 'low' | 'high' | 'fair' | 'poor' | 'active'

/** Rated days needed for a conclusion on a whole period. Source: health detail contract, 2.3.4 and 8.1. */
export const neededDays = { day: 1, week: 3, month: 10 } as const

/** Answers the questions of `Situation` for these facts. */
export function readSituation(facts: Facts): Situation {
  const view = facts.window !== 'day' ? 'period' : facts.mode === 'today_so_far' ? 'today' : 'day'
  const conclusion = view === 'period' ? readConclusion(facts) : 'none'
  return {
    family: facts.family,
    view,
    main: facts.main === undefined ? 'missing' : 'sent',
    goal: facts.family === 'activity' && view === 'today' ? readGoal(facts) : 'none',
    verdict: view === 'day' ? readVerdict(facts) : 'unrated',
    conclusion,
    split: facts.family === 'activity' && conclusion === 'unusual' ? readSplit(facts) : 'unknown',
  }
}

/** The answers to each question, numbered. */
const codes: { readonly [Question in keyof Situation]: Readonly<Record<Situation[Question], number>> } = {
  family: { activity: 0, rest: 1, vital: 2, bark: 3 },
  view: { today: 0, day: 1, period: 2 },
  main: { sent: 0, missing: 1 },
  goal: { none: 0, below: 1, met: 2 },
  verdict: { unrated: 0, in_range: 1, low: 2, high: 3, fair: 4, poor: 5, active: 6 },
  conclusion: { none: 0, in_range: 1, unusual: 2 },
  split: { low: 0, high: 1, mixed: 2, unknown: 3 },
}

/** A number of its own for each situation: the answers as three bits each. */
export function encodeSituation({ conclusion, family, goal, main, split, verdict, view }: Situation): number {
  return (
    codes.family[family] |
    (codes.view[view] << 3) |
    (codes.main[main] << 6) |
    (codes.goal[goal] << 9) |
    (codes.verdict[verdict] << 12) |
    (codes.conclusion[conclusion] << 15) |
    (codes.split[split] << 18)
  )
}

/** Days or nights with records are known, and too few to speak of the whole period. */
export function hasFewRecords(facts: Facts): boolean {
  return facts.recordCount !== undefined && facts.recordCount < neededDays[facts.window]
}

function readGoal({ goalMinutes, main }: Facts): Situation['goal'] {
  if (goalMinutes === undefined || main === undefined) return 'none'
  return main < goalMinutes ? 'below' : 'met'
}

const verdictByRating: Readonly<Record<Family, Readonly<Record<string, DayVerdict>>>> = {
  activity: { normal: 'in_range', low: 'low', high: 'high' },
  rest: { Good: 'in_range', Fair: 'fair', Poor: 'poor' },
  vital: { normal: 'in_range', balanced: 'in_range', low: 'low', high: 'high' },
  bark: { calm: 'in_range', active: 'active', frequent: 'high' },
}

function readVerdict({ family, judgment }: Facts): DayVerdict {
  if (judgment?.rating === undefined) return 'unrated'
  // A single day cannot fluctuate; its direction, where given, is what is left to say.
  if (judgment.rating === 'fluctuating') {
    return judgment.direction === -1 ? 'low' : judgment.direction === 1 ? 'high' : 'unrated'
  }
  return verdictByRating[family][judgment.rating] ?? 'unrated'
}

function readConclusion({ judgment, window }: Facts): Situation['conclusion'] {
  if (judgment?.rating === undefined || judgment.ratedDays < neededDays[window]) return 'none'
  if (judgment.attentionDays === undefined) return 'none'
  return judgment.attentionDays === 0 ? 'in_range' : 'unusual'
}

function readSplit({ comparison, judgment }: Facts): Situation['split'] {
  const { unusualLowDays, unusualHighDays } = comparison
  if (unusualLowDays === undefined && unusualHighDays === undefined) return 'unknown'
  const low = unusualLowDays ?? 0
  const high = unusualHighDays ?? 0
  if (low < 0 || high < 0 || low + high !== judgment?.attentionDays) return 'unknown'
  return high === 0 ? 'low' : low === 0 ? 'high' : 'mixed'
}
