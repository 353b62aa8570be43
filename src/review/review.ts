import type { InsightTexts } from '../catalog.js'
import { type Copy, explain, generate, type Locale, locales, type Metric, scenarios } from '../insight/index.js'
import type { Explanation, Severity, Status, ViewWindow } from '../insight/types.js'
import { compileApproved } from './approved.js'
import { createBranchReader, traceTexts } from './branches.js'
import { type Example, findExamples, type NamedPayload } from './examples.js'
import { type Approvals, judgeTexts, type SignedText, type SignState } from './signoff.js'
import { diffWords, type WordChange } from './word-diff.js'

/** All that a reviewer reads, in the order of the scenarios. */
export interface Review {
  readonly ruleVersion: string
  readonly patterns: InsightTexts['patterns']
  /** Texts of the catalog in one language each, by their state. */
  readonly states: Readonly<Record<SignState, number>>
  /** Texts of the catalog that were signed off and say something else now. */
  readonly changed: readonly SignedText[]
  readonly scenarios: readonly ReviewScenario[]
}

export interface ReviewScenario {
  readonly id: string
  /** When it is said, in plain words. */
  readonly condition: string
  readonly examples: readonly ReviewExample[]
}

export interface ReviewExample {
  readonly id: string
  readonly fixture: string
  readonly changes: readonly string[]
  readonly metric: Metric
  readonly window: ViewWindow
  readonly status: Status
  readonly severity: Severity
  readonly ruleId: string
  readonly facts: Explanation['facts']
  /** One a language. */
  readonly texts: readonly ReviewText[]
}

/** What an example says in one language. */
export interface ReviewText {
  readonly locale: Locale
  readonly text: string
  /** The texts of the catalog that it is made of, the sentence first. */
  readonly parts: readonly { readonly id: string; readonly text: string }[]
  /** The worst state among its parts; `changed` where its words are other than those signed off. */
  readonly state: SignState
  /** The approvals of its parts, the latest first. */
  readonly approvals: readonly { readonly by: string; readonly date: string; readonly ruleVersion: string }[]
  /** Against the words signed off, where they were others. */
  readonly changes?: readonly WordChange[]
}

export interface ReviewSource {
  readonly texts: InsightTexts
  readonly copy: Copy
  readonly signoff: Approvals
  readonly fixtures: readonly NamedPayload[]
}

/**
 * Puts together what reviewers read: every branch of every scenario in every language, beside what was signed off.
 * Throws nothing for texts that compile; a text that was signed off and no longer fits its scenario is compared as written.
 */
export function createReview({ copy, fixtures, signoff, texts }: ReviewSource): Review {
  const { patterns, ruleVersion } = texts
  const judged = judgeTexts(patterns, signoff)
  const states = { signed: 0, changed: 0, stale: 0, unsigned: 0 }
  for (const { state } of judged) states[state]++
  const changed = judged.filter(({ state }) => state === 'changed')
  const approved = { ...copy, messages: compileApproved(texts, copy.messages, changed) }
  const judgedByKey = new Map(judged.map((text) => [`${text.id} ${text.locale}`, text]))
  const examples = findExamples(fixtures, { copy, readBranches: createBranchReader(patterns) })
  const rows = examples.map((example) => reviewExample(example, { copy, approved, judged: judgedByKey }))
  return {
    ruleVersion,
    patterns,
    states,
    changed,
    scenarios: scenarios.map(({ condition, id }) => ({
      id,
      condition,
      examples: rows.filter((_, index) => examples[index]?.scenario === id),
    })),
  }
}

interface Compared {
  readonly copy: Copy
  readonly approved: Copy
  readonly judged: ReadonlyMap<string, SignedText>
}

function reviewExample({ changes, fixture, id, payload }: Example, compared: Compared): ReviewExample {
  const { copy } = compared
  const { generation, severity, status } = generate(payload, { copy, locale: 'en-US' })
  return {
    id,
    fixture,
    changes,
    metric: payload.metric,
    window: payload.viewWindow,
    status,
    severity,
    ruleId: generation.ruleId,
    facts: explain(payload, { copy, locale: 'en-US' }).facts,
    texts: locales.map((locale) => reviewText(payload, locale, compared)),
  }
}

function reviewText(payload: Example['payload'], locale: Locale, { approved, copy, judged }: Compared): ReviewText {
  const { result, uses } = traceTexts(copy, locale, (traced) => generate(payload, { copy: traced, locale }))
  const text = result.summary
  const isSentence = ({ id }: { readonly id: string }) => id === result.scenario
  const said = uses.filter((use) => use.text !== '' && text.includes(use.text)).reverse()
  const used = [...said.filter(isSentence), ...said.filter((use) => !isSentence(use))]
  const parts = [...new Map(used.map((use) => [`${use.id} ${use.text}`, { id: use.id, text: use.text }])).values()]
  const former = generate(payload, { copy: approved, locale }).summary
  const signed = [...new Set(parts.map(({ id }) => id))].flatMap((id) => judged.get(`${id} ${locale}`) ?? [])
  const states = new Set(signed.map(({ state }) => state))
  const state =
    former !== text ? 'changed' : states.has('unsigned') ? 'unsigned' : states.has('stale') ? 'stale' : 'signed'
  return {
    locale,
    text,
    parts,
    state,
    approvals: listApprovals(signed),
    ...(former !== text && { changes: diffWords(former, text, locale) }),
  }
}

function listApprovals(signed: readonly SignedText[]): ReviewText['approvals'] {
  const approvals = signed.flatMap(({ entry }) => {
    if (entry === undefined) return []
    const { by, date, ruleVersion } = entry
    return [{ by, date, ruleVersion }]
  })
  const unique = new Map(approvals.map((approval) => [JSON.stringify(approval), approval]))
  return [...unique.values()].sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
}
