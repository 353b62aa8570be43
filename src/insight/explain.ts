import { formatDate } from './calendar.js'
import { decide } from './decide.js'
import { type Facts, readFacts } from './facts.js'
import { type GenerateOptions, renderSentence, sayIn } from './render.js'
import type { HealthDetailPayload } from './schema.js'
import { neededDays, readSituation, type Situation } from './situation.js'
import { findSupplement, supplements } from './supplement.js'
import type { Explanation } from './types.js'
import { isVital, vitalInfixes, vitalMembers } from './vitals.js'

/**
 * Says why a payload gets its text: the scenario and its condition, the facts that were used with where they stand in the
 * payload, and every clause and supplement with the reason why it is there or not.
 * Throws nothing: the payload must already be valid (see `validate`).
 */
export function explain(payload: HealthDetailPayload, { copy, locale }: GenerateOptions): Explanation {
  const facts = readFacts(payload, locale)
  const decision = decide(facts)
  const say = sayIn(copy, facts.locale)
  const sentence = renderSentence(facts, decision, say)
  const chosen = findSupplement(facts, decision)
  return {
    scenario: decision.scenario.id,
    condition: decision.scenario.condition,
    ruleId: decision.ruleId,
    status: decision.status,
    facts: listFacts(facts, readSituation(facts)),
    clauses: [
      ...Object.entries(decision.scenario.clauses).map(([name, clause]) => {
        const text = String(clause.render(facts, say)).trim()
        if (clause.kind === 'choice') return { name, shown: true, reason: `chooses the words for "${text}"` }
        if (text !== '' && !sentence.includes(text)) {
          return { name, shown: false, reason: 'left out: the words chosen for this case do not mention it' }
        }
        return describe(name, text !== '', clause.shownWhen, text)
      }),
      ...supplements.map((supplement) => {
        const shown = supplement === chosen
        const isOutranked = !shown && chosen !== undefined && supplement.applies(facts, decision)
        const condition = isOutranked
          ? `no other supplement comes first, but ${chosen.name} does`
          : supplement.shownWhen
        return describe(supplement.name, shown, condition, shown ? supplement.render(facts, decision, say) : '')
      }),
    ],
  }
}

function describe(name: string, shown: boolean, condition: string, text: string): Explanation['clauses'][number] {
  if (!shown) return { name, shown, reason: `left out: it is shown when ${condition}` }
  return { name, shown, reason: condition === 'always' ? `"${text}"` : `"${text}", because ${condition}` }
}

type FactRow = Explanation['facts'][number]

/** What the decision and the text rest on, in the order in which a reader asks for it. */
function listFacts(facts: Facts, situation: Situation): FactRow[] {
  const { comparison, judgment } = facts
  const judged = (member: string) => `/suppliedJudgment/${member}`
  const compared = (member: string) => `/insightContext/comparison/${member}`
  const counts = facts.family === 'rest' ? ['ratedNights', 'lowRestDays'] : ['judgedDays', 'unusualDays']
  const candidates: (FactRow | undefined)[] = [
    row('window', `${facts.window} from ${formatDate(facts.startDay)}, ${facts.mode}`, '/insightContext/mode'),
    row("today (asOf in the pet's time zone)", formatDate(facts.today), '/insightContext/asOf'),
    row('main number', facts.main ?? 'not sent', mainPath(facts)),
    row('daily goal in minutes', facts.goalMinutes, '/metrics/activityTime/activityMinutesGoal'),
    row(
      'rating',
      judgment === undefined ? 'no suppliedJudgment' : (judgment.rating ?? 'null (not rated)'),
      judged('rating'),
    ),
    row('direction', judgment?.direction, judged('direction')),
    row('rated days or nights', judgment?.ratedDays, judged(counts[0] ?? '')),
    row('attention days or nights', judgment?.attentionDays, judged(counts[1] ?? '')),
    judgment?.isDeteriorating === false ? row('deteriorating', 'false', judged('deteriorating')) : undefined,
    situation.view === 'period'
      ? row('needed for a conclusion', `${neededDays[facts.window]} rated days or nights`, undefined)
      : undefined,
    row('days or nights with records', facts.recordCount, recordPath(facts)),
    row('times woken, or barks', facts.eventCount, eventPath(facts)),
    row('usual range, lower', comparison.usualLower, compared('usualLower')),
    row('usual range, upper', comparison.usualUpper, compared('usualUpper')),
    row('change in percent', comparison.changePercent, compared('changePercent')),
    row('unusual days in a row', comparison.consecutiveUnusualDays, compared('consecutiveUnusualDays')),
    row('low days', comparison.unusualLowDays, compared('unusualLowDays')),
    row('high days', comparison.unusualHighDays, compared('unusualHighDays')),
    comparison.restRatingFactors.length === 0
      ? undefined
      : row('rating factors', comparison.restRatingFactors.join(', '), compared('restRatingFactors')),
    comparison.basis === 'none' ? undefined : row('basis', comparison.basis, compared('pageEvaluationBasis')),
    facts.baselineProgress === undefined
      ? undefined
      : row(
          'progress of the personal range',
          `${facts.baselineProgress.validDays} of ${facts.baselineProgress.requiredDays} days`,
          '/insightContext/baselineProgress',
        ),
    row('minutes worn at night', facts.wearingMinutes, '/metrics/night/wearingMinutes'),
  ]
  return candidates.filter((candidate) => candidate !== undefined)
}

function row(name: string, value: string | number | undefined, path: string | undefined): FactRow | undefined {
  if (value === undefined) return undefined
  return { name, value: String(value), ...(path !== undefined && { path }) }
}

function mainPath({ metric, window }: Facts): string {
  if (isVital(metric)) {
    const { allDayAverage, nightAverage } = vitalMembers(vitalInfixes[metric])
    return `/metrics/${nightAverage} or /metrics/${allDayAverage}`
  }
  return mainPaths[`${metric}/${window === 'day' ? 'day' : 'period'}`]
}

const mainPaths = {
  'activity/day': '/metrics/activityTime/activityMinutes',
  'activity/period': '/metrics/activityTime/averageDailyActivityMinutes',
  'rest/day': '/metrics/night/nightRest/minutes',
  'rest/period': '/metrics/nightRest/averageMinutes',
  'bark/day': '/metrics/barkDurationSeconds',
  'bark/period': '/metrics/averageDailyBarkDurationSeconds',
} as const

function eventPath({ family, window }: Facts): string {
  if (family === 'rest') return '/metrics/night/interruptions/count'
  return window === 'day' ? '/metrics/barkEventCount' : '/metrics/averageDailyBarkEventCount'
}

function recordPath({ family }: Facts): string {
  if (family === 'activity') return '/metrics/activityTime/dailyActivityMinutes'
  return family === 'bark' ? '/metrics/dailyBarkDurations' : '/period/validNights'
}
