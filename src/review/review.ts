import type { InsightTexts } from '../catalog.js'
import { type Copy, explain, generate, type Locale, locales, type Metric, scenarios } from '../insight/index.js'
import { type TextUse, traceTexts } from '../insight/trace.js'
import type { Explanation, Insight, Severity, Status, ViewWindow } from '../insight/types.js'
import { judgeAnswers, type SignedAnswer } from './answers.js'
import { compileApproved } from './approved.js'
import { createBranchReader } from './branches.js'
import { type ChangedAnswer, listChangedAnswers } from './changed-answers.js'
import { type Example, findExamples, type NamedPayload } from './examples.js'
import { judgeTexts, type SignedText, type Signoff, type SignState } from './signoff.js'
import { diffWords, type WordChange } from './word-diff.js'

/** All that a reviewer reads, in the order of the scenarios. */
export interface Review {
  readonly ruleVersion: string
  readonly patterns: InsightTexts['patterns']
  /** Texts of the catalog in one language each, by their state. */
  readonly states: Readonly<Record<SignState, number>>
  /** Texts of the catalog that were signed off and say something else now. */
  readonly changed: readonly SignedText[]
  /** What the fixtures say now, where it is other than what was signed off: because of texts, or of rules. */
  readonly answers: readonly ChangedAnswer[]
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
  readonly mode: Example['payload']['insightContext']['mode']
  readonly period: Pick<Example['payload']['period'], 'startDate' | 'endDate' | 'isCompleted'>
  readonly petName: string
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
  /** Where the fixture itself is new, or is another than the one signed off. */
  readonly sample?: 'new' | 'changed'
}

export interface ReviewSource {
  readonly texts: InsightTexts
  readonly copy: Copy
  readonly signoff: Pick<Signoff, 'texts' | 'answers'>
  readonly fixtures: readonly NamedPayload[]
}

/**
 * Puts together what reviewers read: every branch of every scenario in every language, beside what was signed off.
 * Throws nothing for texts that compile; a text that was signed off and no longer fits its scenario is compared as written.
 */
export function createReview({ copy, fixtures, signoff, texts }: ReviewSource): Review {
  const { patterns, ruleVersion } = texts
  const judged = judgeTexts(patterns, signoff.texts)
  const states = { signed: 0, changed: 0, stale: 0, unsigned: 0 }
  for (const { state } of judged) states[state]++
  const changed = judged.filter(({ state }) => state === 'changed')
  const approved = { ...copy, messages: compileApproved(texts, copy.messages, changed) }
  const answers = judgeAnswers(fixtures, copy.messages, signoff.answers)
  const compared = { copy, approved, judged: mapByKey(judged), answers: mapByKey(answers) }
  const examples = findExamples(fixtures, { copy, readBranches: createBranchReader(patterns) })
  const rows = examples.map((example) => reviewExample(example, compared))
  return {
    ruleVersion,
    patterns,
    states,
    changed,
    answers: listChangedAnswers(answers, changed),
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
  readonly answers: ReadonlyMap<string, SignedAnswer>
}

function mapByKey<Row extends Pick<SignedText, 'id' | 'locale'>>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [`${row.id} ${row.locale}`, row]))
}

function reviewExample(example: Example, compared: Compared): ReviewExample {
  const { changes, fixture, id, payload } = example
  const { copy } = compared
  const { generation, severity, status } = generate(payload, { copy, locale: 'en-US' })
  return {
    id,
    fixture,
    changes,
    metric: payload.metric,
    window: payload.viewWindow,
    mode: payload.insightContext.mode,
    period: payload.period,
    petName: payload.petProfile.name,
    status,
    severity,
    ruleId: generation.ruleId,
    facts: explain(payload, { copy, locale: 'en-US' }).facts,
    texts: locales.map((locale) => reviewText(example, locale, compared)),
  }
}

function reviewText({ id, payload }: Example, locale: Locale, compared: Compared): ReviewText {
  const { answers, approved, copy, judged } = compared
  const { result, uses } = traceTexts(copy, (traced) => generate(payload, { copy: traced, locale }))
  const text = result.summary
  const parts = listParts(uses, result)
  const signed = [...new Set(parts.map((part) => part.id))].flatMap((part) => judged.get(`${part} ${locale}`) ?? [])
  // What is derived from a fixture has no answer of its own: it is compared with what the approved texts say.
  const answer = answers.get(`${id} ${locale}`)
  const said = answer?.state === 'stale' ? undefined : answer?.entry?.text
  const former = said ?? generate(payload, { copy: approved, locale }).summary
  return {
    locale,
    text,
    parts,
    state: former === text ? findWorst(signed, answer) : 'changed',
    approvals: listApprovals(signed),
    ...(former !== text && { changes: diffWords(former, text, locale) }),
    ...(answer?.state === 'unsigned' && { sample: 'new' as const }),
    ...(answer?.state === 'stale' && { sample: 'changed' as const }),
  }
}

/** The texts of the catalog that a text is made of and that are read in it, its sentence first. */
function listParts(uses: readonly TextUse[], { scenario, summary }: Insight): ReviewText['parts'] {
  const isSentence = ({ id }: TextUse) => id === scenario
  const said = uses.filter((use) => use.text !== '' && summary.includes(use.text)).reverse()
  const used = [...said.filter(isSentence), ...said.filter((use) => !isSentence(use))]
  return [...new Map(used.map(({ id, text }) => [`${id} ${text}`, { id, text }])).values()]
}

function findWorst(signed: readonly SignedText[], answer: SignedAnswer | undefined): SignState {
  const states = new Set(signed.map(({ state }) => state))
  const isOpen = answer?.state === 'unsigned' || answer?.state === 'stale'
  return states.has('unsigned') || isOpen ? 'unsigned' : states.has('stale') ? 'stale' : 'signed'
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
