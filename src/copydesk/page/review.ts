import type { InsightTexts } from '../../catalog/catalog.js'
import { type Copy, explain, generate, type Locale, locales, scenarios } from '../../insight/index.js'
import { type TextUse, traceTexts } from '../../insight/trace.js'
import type { Insight } from '../../insight/types.js'
import { createBranchReader } from '../examples/branches.js'
import { type Example, findExamples, type Samples } from '../examples/examples.js'
import type { Fixture } from '../fixtures.js'
import { judgeAnswers, type SignedAnswer } from '../signoff/answers.js'
import { compileApproved } from '../signoff/approved-messages.js'
import {
  isNative,
  judgeTexts,
  type Signature,
  type SignedText,
  type Signoff,
  type SignoffEntry,
  type SignState,
} from '../signoff/signoff.js'
import { diffWords, type WordChange } from '../word-diff.js'

/** The content of the review page, in the order of the scenarios. */
export interface Review {
  readonly ruleVersion: string
  readonly patterns: InsightTexts['patterns']
  /** The number of texts (one per language) in each state. */
  readonly states: Readonly<Record<SignState, number>>
  /** The number of signed texts that a native reader approved. */
  readonly native: number
  /** The texts that differ from their sign-off. */
  readonly changed: readonly SignedText[]
  /** The signed texts that replaced those of an earlier label. */
  readonly relabelled: readonly SignedText[]
  /** The words of dates and times that differ from their sign-off, by language. */
  readonly dates: readonly { readonly locale: Locale; readonly changes: readonly WordChange[] }[]
  readonly scenarios: readonly ReviewScenario[]
}

export interface ReviewScenario {
  readonly id: string
  /** The condition of the scenario, in plain words. */
  readonly condition: string
  readonly examples: readonly ReviewExample[]
}

/** An example, with one text per language. The page opens with those that are first: each wording has one of them. */
export type ReviewExample = ReturnType<typeof reviewExample> & { readonly isFirst: boolean }

/** The text of an example in one language. */
export interface ReviewText {
  readonly locale: Locale
  readonly text: string
  /** The catalog texts that it uses, the sentence first. */
  readonly parts: readonly { readonly id: string; readonly text: string }[]
  /** The worst state of its parts, or `changed` if its words differ from those signed off. */
  readonly state: SignState
  /** The approvals of its parts, the latest first. */
  readonly approvals: readonly Signature[]
  /** True if a native reader signed all of its parts. */
  readonly isNative: boolean
  /** The catalog texts that it uses and that changed since sign-off. */
  readonly wordings: readonly string[]
  /** The difference from the signed-off words, if any. */
  readonly changes?: readonly WordChange[]
  /** The difference of signed-off words from those of the label before, if any. */
  readonly since?: { readonly ruleVersion: string; readonly changes: readonly WordChange[] }
  /** Set if the fixture is new, or changed since sign-off. */
  readonly sample?: 'new' | 'changed'
}

export interface ReviewSource {
  readonly texts: InsightTexts
  readonly copy: Copy
  readonly signoff: Pick<Signoff, 'texts' | 'answers'>
  readonly fixtures: readonly Fixture[]
  /** The examples of these texts, if they are known: to find them takes a second. */
  readonly examples?: readonly Example[]
}

/** Finds the examples that the review shows. */
export function findReviewExamples(
  { copy, fixtures, texts }: Omit<ReviewSource, 'signoff'>,
  samples?: Samples,
): readonly Example[] {
  return findExamples(fixtures, { copy, readBranches: createBranchReader(texts.patterns) }, samples)
}

/**
 * Builds the review: every branch of every scenario in every language, compared with the sign-off.
 * Throws nothing for texts that compile. A signed-off text that no longer fits its scenario is compared as written.
 */
export function createReview(source: ReviewSource): Review {
  const { copy, examples = findReviewExamples(source), fixtures, signoff, texts } = source
  const { patterns, ruleVersion } = texts
  const judged = judgeTexts(patterns, signoff.texts)
  const states = { signed: 0, changed: 0, stale: 0, unsigned: 0 }
  for (const { state } of judged) states[state]++
  const changed = judged.filter(({ state }) => state === 'changed')
  const approved = { ...copy, messages: compileApproved(texts, copy.messages, changed) }
  const answers = judgeAnswers(fixtures, copy.messages, signoff.answers)
  const compared = { ruleVersion, copy, approved, judged: mapByKey(judged), answers: mapByKey(answers) }
  const rows = markFirst(examples.map((example) => reviewExample(example, compared)))
  return {
    ruleVersion,
    patterns,
    states,
    native: judged.filter(({ entry, state }) => state === 'signed' && entry && isNative(entry)).length,
    changed,
    relabelled: judged.filter(({ entry, state }) => state === 'signed' && isRelabelled(entry, ruleVersion)),
    dates: answers.flatMap(({ entry, locale, scenario, state, text }) =>
      state === 'changed' && scenario === '' && entry
        ? [{ locale, changes: compareList(entry.text, text, locale) }]
        : [],
    ),
    scenarios: scenarios.map(({ condition, id }) => ({
      id,
      condition,
      examples: rows.filter((_, index) => examples[index]?.scenario === id),
    })),
  }
}

/** True if a text was approved with the current label, in place of the text of an earlier one. */
function isRelabelled(entry: SignoffEntry | undefined, ruleVersion: string): boolean {
  return entry?.before !== undefined && entry.ruleVersion === ruleVersion
}

interface Compared {
  readonly ruleVersion: string
  readonly copy: Copy
  readonly approved: Copy
  readonly judged: ReadonlyMap<string, SignedText>
  readonly answers: ReadonlyMap<string, SignedAnswer>
}

function mapByKey<Row extends Pick<SignedText, 'id' | 'locale'>>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [`${row.id} ${row.locale}`, row]))
}

/** Gives each wording an example of its own that the page opens with, the rarest wording first. */
function markFirst(rows: readonly ReturnType<typeof reviewExample>[]): readonly ReviewExample[] {
  const users = new Map<string, Set<string>>()
  for (const { id, texts } of rows) {
    for (const part of texts.flatMap(({ parts }) => parts)) {
      users.set(part.id, (users.get(part.id) ?? new Set()).add(id))
    }
  }
  const first = new Set<string>()
  for (const own of [...users.values()].sort((a, b) => a.size - b.size)) {
    const free = [...own].find((id) => !first.has(id))
    if (free !== undefined) first.add(free)
  }
  return rows.map((row) => ({ ...row, isFirst: first.has(row.id) }))
}

function reviewExample(example: Example, compared: Compared) {
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
  const { answers, approved, copy, judged, ruleVersion } = compared
  const { result, uses } = traceTexts(copy, (traced) => generate(payload, { copy: traced, locale }))
  const text = result.summary
  const parts = listParts(uses, result)
  const signed = [...new Set(parts.map((part) => part.id))].flatMap((part) => judged.get(`${part} ${locale}`) ?? [])
  // A derived example has no signed answer: compare it with the output of the approved texts.
  const answer = answers.get(`${id} ${locale}`)
  const said = answer?.state === 'stale' ? undefined : answer?.entry?.text
  const former = said ?? generate(payload, { copy: approved, locale }).summary
  const before = isRelabelled(answer?.entry, ruleVersion) && former === text ? answer?.entry?.before : undefined
  return {
    locale,
    text,
    parts,
    state: former === text ? findWorst(signed, answer) : 'changed',
    approvals: listApprovals(signed),
    isNative: signed.every(({ entry }) => entry !== undefined && isNative(entry)),
    wordings: [...new Set(uses.map((use) => use.id))].filter(
      (one) => judged.get(`${one} ${locale}`)?.state === 'changed',
    ),
    ...(former !== text && { changes: diffWords(former, text, locale) }),
    ...(before !== undefined && {
      since: { ruleVersion: before.ruleVersion, changes: diffWords(before.text, text, locale) },
    }),
    ...(answer?.state === 'unsigned' && { sample: 'new' as const }),
    ...(answer?.state === 'stale' && { sample: 'changed' as const }),
  }
}

/** Returns the catalog texts that are visible in a summary, its sentence first. */
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
  const approvals = signed.flatMap(({ entry }) => entry ?? [])
  const unique = new Map(approvals.map((entry) => [`${entry.date} ${entry.ruleVersion} ${entry.by}`, entry]))
  return [...unique.values()].sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
}

const listMark = ' | '

/** Compares two lists of the same length entry by entry and returns the entries that changed. */
function compareList(older: string, newer: string, locale: Locale): readonly WordChange[] {
  const [before, after] = [older, newer].map((text) => text.split(listMark))
  if (before === undefined || after === undefined || before.length !== after.length) {
    return diffWords(older, newer, locale)
  }
  const changed = before.flatMap((words, index) =>
    words === after[index] ? [] : [diffWords(words, after[index] ?? '', locale)],
  )
  return changed.flatMap((changes, index) => [
    ...(index === 0 ? [] : [{ kind: 'same' as const, text: listMark }]),
    ...changes,
  ])
}
