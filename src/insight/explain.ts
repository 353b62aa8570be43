import { renderClause } from './clauses.js'
import type { Condition } from './conditions.js'
import { type Decision, decide } from './decide.js'
import { describeFacts } from './describe-facts.js'
import { type Facts, readFacts } from './facts.js'
import { isJsonObject } from './json-object.js'
import { readValidPayload, type ValidReading } from './reading.js'
import { type GenerateOptions, renderSentence } from './render.js'
import { type Say, sayIn } from './say.js'
import type { HealthDetailPayload } from './schema.js'
import { findSupplement, type Supplement, supplements } from './supplement.js'
import { traceTexts } from './trace.js'
import type { Copy, Explanation, Locale } from './types.js'

/**
 * Says why a payload gets its text: the sentence and its condition, the status, the facts that were used with their
 * place in the payload, and every part of the text with the reason why it is there or not.
 * Throws nothing: the payload must already be valid (see `validate`).
 */
export function explain(payload: HealthDetailPayload, options: GenerateOptions): Explanation {
  return explainReading(readValidPayload(payload), options)
}

/** Does what `explain` does, for a payload that `interpret` has read already. */
export function explainReading(reading: ValidReading, { copy, locale }: GenerateOptions): Explanation {
  const used = new Set<string>()
  const facts = traceFacts(readFacts(reading, locale), used)
  const decision = decide(facts)
  const sentence = renderSentence(facts, decision, sayIn(copy, facts.locale))
  const chosen = findSupplement(facts, decision)
  return {
    scenario: decision.scenario.id,
    condition: decision.scenario.condition,
    ruleId: decision.ruleId,
    status: decision.status,
    statusReason: describeStatus(facts, decision),
    facts: describeFacts(facts, used),
    clauses: [
      ...describeClauses(facts, decision, sentence, copy),
      ...supplements.map((supplement) => describeSupplement(supplement, chosen, facts, decision, copy)),
    ],
  }
}

type ExplainedClause = Explanation['clauses'][number]

function describeClauses(facts: Facts, { scenario }: Decision, sentence: string, copy: Copy): ExplainedClause[] {
  return Object.entries(scenario.clauses).map(([name, clause]) => {
    const { result, texts } = trace(copy, facts.locale, (say) => renderClause(clause, facts, say))
    const text = String(result)
    if (clause.kind === 'choice') return { name, texts, shown: true, reason: `chooses the words for "${text}"` }
    if (text === '') {
      const missing = listMissing(clause.when, [facts])
      return { name, texts: [], shown: false, reason: missing === '' ? 'it has nothing to say' : missing }
    }
    if (!sentence.includes(text))
      return { name, texts, shown: false, reason: 'the words of this case do not mention it' }
    return { name, texts, shown: true, reason: describeShown(text, clause.when, [facts]) }
  })
}

function describeSupplement(
  supplement: Supplement,
  chosen: Supplement | undefined,
  facts: Facts,
  decision: Decision,
  copy: Copy,
): ExplainedClause {
  const { name, when } = supplement
  if (supplement === chosen) {
    const { result, texts } = trace(copy, facts.locale, (say) => supplement.render(facts, decision, say))
    return { name, texts, shown: true, reason: describeShown(result, when, [facts, decision]) }
  }
  const missing = listMissing(when, [facts, decision])
  return { name, texts: [], shown: false, reason: missing === '' ? `${chosen?.name} comes first` : missing }
}

function describeStatus({ judgment }: Facts, { scenario, status }: Decision): string {
  const attentionDays = judgment?.attentionDays ?? 0
  if (scenario.status === 'counted' && attentionDays === 0) return 'no attention day is counted for it'
  if (status !== scenario.status && status === 'observation')
    return 'deteriorating is false: it does not count as worse'
  if (scenario.status === 'counted') return 'an attention day is counted for it'
  return 'this sentence always has it'
}

function describeShown<Given extends readonly unknown[]>(
  text: string,
  when: readonly Condition<Given>[],
  given: Given,
): string {
  const reasons = when.map(({ yes }) => (typeof yes === 'string' ? yes : yes(...given)))
  return `"${text.trim()}"${reasons.length === 0 ? '' : `, because ${reasons.join(' and ')}`}`
}

function listMissing<Given extends readonly unknown[]>(when: readonly Condition<Given>[], given: Given): string {
  return when
    .filter(({ holds }) => !holds(...given))
    .map(({ no }) => no)
    .join('; ')
}

/** Returns the result of `render`, and the IDs of the catalog texts that it used, the outermost first. */
function trace<Result>(copy: Copy, locale: Locale, render: (say: Say) => Result): { result: Result; texts: string[] } {
  const { result, uses } = traceTexts(copy, (traced) => render(sayIn(traced, locale)))
  return { result, texts: [...new Set(uses.map(({ id }) => id).reverse())] }
}

/** Returns the same facts, and notes each one that is read in `used`, as `main` or `comparison.usualLower`. */
function traceFacts(facts: Facts, used: Set<string>): Facts {
  const traceObject = <Value extends object>(value: Value, prefix: string): Value =>
    new Proxy(value, {
      get: (target, name: string) => {
        used.add(`${prefix}${name}`)
        const member: unknown = target[name as keyof Value]
        return isJsonObject(member) ? traceObject(member, `${prefix}${name}.`) : member
      },
    })
  return traceObject(facts, '')
}
