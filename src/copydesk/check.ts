import type { TextsLabel } from '../catalog/catalog.js'
import { defaultLocale } from '../insight/types.js'
import { readEntries } from './entries.js'
import { type Finding, isAboutSignoff } from './finding.js'
import { type Lint, type LintInput, lintTexts } from './lint/lint.js'
import { hashWording } from './lint/wording.js'
import { judgeAnswers, type SignedAnswer } from './signoff/answers.js'
import { compileApproved } from './signoff/approved-messages.js'
import { checkLabels, checkVersion, withCurrentLabel } from './signoff/label.js'
import { type Approvals, judgeTexts, type SignedText, type Signoff } from './signoff/signoff.js'
import { compareWords } from './word-diff.js'

/** The input of `svc insight check`. */
export interface CheckInput extends LintInput, TextsLabel {
  /** Findings for files that are not valid JSON. While there are any, nothing else is checked. */
  readonly broken: readonly Finding[]
  readonly signoff: Signoff
}

/** The texts with their state, and every finding that blocks publication. */
export interface CopyCheck extends Pick<Lint, 'texts' | 'isRendered' | 'messages' | 'uses'> {
  readonly findings: readonly Finding[]
  readonly signed: readonly SignedText[]
  /** The answers of the approved texts; empty if the texts could not be rendered. */
  readonly answers: readonly SignedAnswer[]
  /** The labels that were approved whole. */
  readonly labels: Signoff['labels']
  /** The result of the lint; undefined while a file is broken. */
  readonly lint?: Lint
}

/**
 * Checks the texts and their approvals. The shipped catalog, signed whole, has no findings. `former` is a check of the
 * same texts and approvals under another label: its lint is used.
 */
export function checkTexts(input: CheckInput, former?: CopyCheck): CopyCheck {
  const { signoff, wording } = input
  if (input.broken.length > 0) {
    const { texts } = readEntries(input.files)
    const noResult = { isRendered: false, messages: undefined, uses: new Map(), signed: [], answers: [] }
    return { ...noResult, labels: signoff.labels, texts, findings: input.broken }
  }
  const lint = former?.lint ?? lintTexts(input)
  const { findings, texts } = lint
  const signed = judgeTexts(texts.patterns, signoff.texts)
  const answers = answerApproved(input, lint, signoff.texts)
  const unsigned = new Set(
    signed.filter(({ state }) => state === 'unsigned').map(({ id, locale }) => `${id} ${locale}`),
  )
  // An answer that was never approved differs because of a text: the finding for that text covers it.
  const toReport = answers.filter(({ locale, uses }) => ![...uses].some((id) => unsigned.has(`${id} ${locale}`)))
  const reported = new Set(findings.map(({ id }) => id))
  const leftOver = Object.keys(signoff.texts).filter((id) => texts.files[id] === undefined && !reported.has(id))
  const approvalFindings = [
    ...signed.flatMap((text) => describeState(text, texts.files[text.id] ?? '')),
    ...leftOver.map(describeLeftOver),
    ...reportAnswers(toReport),
    ...(answers.length === 0 ? [] : reportLostAnswers(answers, signoff.answers, reported)),
    ...(hashWording(wording) === signoff.wording ? [] : [wordingChanged]),
  ]
  const areSigned = answers.length > 0 && answers.every(({ state }) => state === 'signed')
  const isSettled = areSigned && hashWording(wording) === signoff.wording
  const labels = former?.labels ?? (isSettled ? withCurrentLabel(input) : signoff.labels)
  const labelFindings = checkLabels(signoff, labels, input.ruleVersion)
  // The finding for a deleted row covers everything that was approved under its label.
  const isSigned = approvalFindings.length === 0 && labelFindings.length === 0 && answers.length > 0
  const versionFindings = checkVersion({ ...input, patterns: texts.patterns, answers, labels, isSigned })
  const all = [...findings, ...approvalFindings, ...labelFindings, ...versionFindings]
  return { ...lint, lint, signed, answers, labels, findings: all }
}

/** Renders every fixture with the approved texts. Empty while the catalog lacks a text that sentences use. */
export function answerApproved(
  { fixtures, signoff }: Pick<CheckInput, 'fixtures' | 'signoff'>,
  { findings, messages, texts }: Pick<Lint, 'findings' | 'messages' | 'texts'>,
  approvals: Approvals,
): SignedAnswer[] {
  const isWhole = findings.every(({ code }) => code !== 'text-missing' && code !== 'scenario-missing')
  if (messages === undefined || !isWhole) return []
  const approved = compileApproved(texts, messages, judgeTexts(texts.patterns, approvals))
  return judgeAnswers(fixtures, approved, signoff.answers)
}

const wordingChanged: Finding = {
  code: 'wording-changed',
  file: 'insight/wording.json',
  message: 'The forbidden words, units or lengths changed since they were approved.',
  fix: 'Restore them, or have them reviewed, then run svc insight sign --by NAME.',
}

function describeState({ id, locale, text, state, entry }: SignedText, file: string): Finding[] {
  const sign = `svc insight sign --text ${id} --locale ${locale} --by NAME`
  const where = { file, id, locale, fix: `Have it reviewed, then run ${sign}.` }
  if (state === 'unsigned') {
    const message = `The text ${id} was never approved in ${locale}.`
    return [{ ...where, code: 'text-unsigned', message, after: text }]
  }
  if (entry === undefined || state === 'signed') return []
  const approved = `${entry.by} approved it on ${entry.date} (${entry.ruleVersion})`
  if (state === 'changed') {
    const message = `The text ${id} changed in ${locale} since ${approved}.`
    const fix = `Restore the approved text, or have the new one reviewed, then run ${sign}.`
    return [{ ...where, code: 'text-changed', message, fix, before: entry.text, after: text }]
  }
  const message = `The text ${id} in ${locale} is stale: its ${defaultLocale} source changed since ${approved}.`
  return [{ ...where, code: 'translation-stale', message }]
}

function describeLeftOver(id: string): Finding {
  const message = `The sign-off has the text ${id}, which is no longer in the catalog.`
  const fix = 'If it was deleted on purpose, run svc insight sign, which removes it; otherwise restore the text.'
  return { code: 'signoff-left-over', file: 'insight/signoff.json', id, message, fix }
}

/** Returns the findings that block signing: defects of the texts, texts that cannot be rendered, and an old label. */
export function findObstacles(
  { findings, isRendered }: CopyCheck,
  wanted: readonly Pick<SignedText, 'id' | 'locale'>[],
): Finding[] {
  const isWanted = (id: string, locale: Finding['locale']) =>
    wanted.some((text) => text.id === id && (locale === undefined || text.locale === locale))
  return findings.filter((finding) => {
    if (finding.code === 'version-old' || finding.code === 'version-needless') return true
    if (isAboutSignoff(finding)) return false
    return !isRendered || finding.id === undefined || isWanted(finding.id, finding.locale)
  })
}

const file = 'insight/signoff.json'
const sign = 'svc insight sign --by NAME'

/**
 * Reports answers that changed although their texts did not: each change of words once, however many answers show it.
 */
function reportAnswers(answers: readonly SignedAnswer[]): Finding[] {
  const groups = new Map<string, SignedAnswer[]>()
  for (const answer of answers.filter(({ state }) => state !== 'signed')) {
    const name = nameChange(answer)
    groups.set(name, [...(groups.get(name) ?? []), answer])
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    return [first.state === 'changed' ? describeChanged(first, others.length) : describeOpen(first)]
  })
}

/** Returns the key to group by: the language and its replaced words, or the name of a new or changed fixture. */
function nameChange({ entry, id, locale, state, text }: SignedAnswer): string {
  if (state !== 'changed' || entry === undefined) return id
  const changes = compareWords(entry.text, text, locale).filter(({ kind }) => kind !== 'same')
  return JSON.stringify([locale, ...new Set(changes.map((change) => `${change.kind} ${change.text.trim()}`))])
}

function describeChanged({ entry, id, locale, text }: SignedAnswer, others: number): Finding {
  const more = others === 0 ? '' : `, and so did ${others} more,`
  const approved = entry === undefined ? '' : ` since ${entry.by} approved it on ${entry.date} (${entry.ruleVersion})`
  return {
    ...{ code: 'answer-changed', file, locale },
    message: `${nameAnswer(id)} changed in ${locale}${more}${approved}, but no text did: the change is in words that the program adds.`,
    fix: `Restore the words in src/insight/, or have the answers reviewed, then run ${sign}.`,
    ...(entry === undefined ? {} : { before: entry.text }),
    after: text,
  }
}

function describeOpen({ id, state }: SignedAnswer): Finding {
  const fix = `Have it reviewed (svc insight review), then run ${sign}.`
  if (state === 'stale') {
    const message = `The fixture ${id} changed since its answer was approved.`
    return { code: 'answer-stale', file, id, message, fix }
  }
  return { code: 'answer-unsigned', file, id, message: `${nameAnswer(id)} was never approved.`, fix }
}

/** Reports approvals of deleted fixtures. `reported` holds the scenarios that are already reported. */
function reportLostAnswers(
  answers: readonly SignedAnswer[],
  approvals: Approvals,
  reported: ReadonlySet<string | undefined>,
): Finding[] {
  const known = new Set(answers.map(({ id }) => id))
  const lost = Object.keys(approvals).filter((id) => !known.has(id) && !reported.has(id.split('.')[0]))
  return lost.map((id): Finding => {
    const message = `The sign-off has an answer of the fixture ${id}, which no longer exists.`
    const fix =
      'If it was deleted on purpose, run svc insight sign, which removes the answer; otherwise restore the fixture.'
    return { code: 'signoff-left-over', file, id, message, fix }
  })
}

function nameAnswer(id: string): string {
  return id.includes(' ') ? `The format of ${id}` : `The answer of the fixture ${id}`
}
