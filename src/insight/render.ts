import { renderClause } from './clauses.js'
import { type Decision, decide } from './decide.js'
import { type Facts, readFacts } from './facts.js'
import { joinName } from './format.js'
import { readValidPayload, type ValidReading } from './reading.js'
import { type Say, sayIn } from './say.js'
import type { HealthDetailPayload, PayloadView } from './schema.js'
import { findSupplement } from './supplement.js'
import type { Copy, Insight, Locale } from './types.js'

/** The texts to use and, where it is not to be the payload's own, the language. */
export interface GenerateOptions {
  readonly copy: Copy
  readonly locale?: Locale
}

/**
 * Says what a payload means: scenario, status and one paragraph in the language asked for.
 * Pure: it reads no clock, and the same payload gives the same insight.
 * Throws nothing: the payload must already be valid (see `validate`).
 * Source: health detail contract, 2.5 and 2.6.
 */
export function generate(payload: HealthDetailPayload, options: GenerateOptions): Insight {
  return renderInsight(readValidPayload(payload), options)
}

/** Does what `generate` does, for a payload that `interpret` has read already. */
export function renderInsight(reading: ValidReading, { copy, locale }: GenerateOptions): Insight {
  const facts = readFacts(reading, locale)
  const decision = decide(facts)
  return {
    scenario: decision.scenario.id,
    locale: facts.locale,
    status: decision.status,
    severity: decision.severity,
    summary: renderSummary(facts, decision, copy),
    generation: { ruleId: decision.ruleId, ruleVersion: copy.ruleVersion, aiPolished: false },
  }
}

/** Between sentence and supplement: one space; in Chinese, no space. */
const sentenceJoint: Readonly<Record<Locale, string>> = { 'zh-CN': '', 'en-US': ' ', es: ' ' }

/** The paragraph of a decision: its sentence and at most one supplement. */
export function renderSummary(facts: Facts, decision: Decision, copy: Copy): string {
  const say = sayIn(copy, facts.locale)
  const sentence = renderSentence(facts, decision, say)
  const supplement = findSupplement(facts, decision)
  if (supplement === undefined) return sentence
  return sentence + sentenceJoint[facts.locale] + supplement.render(facts, decision, say)
}

/** The sentence of a decision without its supplement. */
export function renderSentence(facts: Facts, { scenario }: Decision, say: Say): string {
  const values: Record<string, string | number> = { name: facts.petName }
  for (const argument in scenario.clauses) {
    const clause = scenario.clauses[argument]
    if (clause !== undefined) values[argument] = renderClause(clause, facts, say)
  }
  return joinName(say(scenario.id, values), facts.petName)
}

/** The answer to a request, as it goes over the wire. Source: health detail contract, 2.5. */
export interface InsightResponse extends EchoedPayload, Pick<Insight, 'status' | 'severity' | 'summary'> {
  readonly insightId: string
  readonly generation: Insight['generation'] & {
    /** UTC, ISO 8601 with Z. */
    readonly generatedAt: string
  }
}

/** The members of a request that its answer repeats. */
type EchoedPayload = Pick<PayloadView, 'petId' | 'metric' | 'viewWindow' | 'period'>

/**
 * An insight in its wire form: nothing of the request but what the contract echoes, nights only where they were sent.
 * The stamp is only written on the result: UTC, ISO 8601 with Z.
 * Source: health detail contract, 2.5.
 */
export function presentInsight(
  payload: EchoedPayload,
  insight: Insight,
  stamp: { readonly insightId: string; readonly generatedAt: string },
): InsightResponse {
  const { elapsedNights, endDate, isCompleted, startDate, timezone, validNights } = payload.period
  return {
    insightId: stamp.insightId,
    petId: payload.petId,
    metric: payload.metric,
    viewWindow: payload.viewWindow,
    period: {
      startDate,
      endDate,
      timezone,
      isCompleted,
      ...(elapsedNights !== undefined && { elapsedNights }),
      ...(validNights !== undefined && { validNights }),
    },
    status: insight.status,
    severity: insight.severity,
    summary: insight.summary,
    generation: {
      ruleId: insight.generation.ruleId,
      ruleVersion: insight.generation.ruleVersion,
      generatedAt: stamp.generatedAt,
      aiPolished: insight.generation.aiPolished,
    },
  }
}
