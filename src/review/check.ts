import { defaultLocale } from '../insight/types.js'
import { describeAnswers, describeLostAnswers } from './answer-findings.js'
import { judgeAnswers, type SignedAnswer } from './answers.js'
import { compileApproved } from './approved.js'
import { readEntries } from './entries.js'
import { type Finding, isAboutSignoff } from './finding.js'
import { type Lint, type LintInput, lintTexts } from './lint.js'
import { type Approvals, judgeTexts, type SignedText, type Signoff } from './signoff.js'
import { checkLabels, checkVersion } from './version.js'
import { hashWording } from './wording.js'

/** Everything that `svc insight check` looks at. */
export interface CheckInput extends LintInput {
  /** Files that are not written as JSON: nothing else can be said before that is mended. */
  readonly broken: readonly Finding[]
  readonly signoff: Signoff
  readonly ruleVersion: string
  /** The hash of the texts that the label stands for. */
  readonly pinnedHash: string
}

/** The texts with their state, and everything that must not be published. */
export interface Check extends Pick<Lint, 'texts' | 'isRendered' | 'messages' | 'uses'> {
  readonly findings: readonly Finding[]
  readonly signed: readonly SignedText[]
  /** What the approved texts say; none where they could not be put together. */
  readonly answers: readonly SignedAnswer[]
}

/** Checks the texts and their approval. An unchanged catalog that all reviewers signed has no findings. */
export function checkTexts(input: CheckInput): Check {
  const { signoff, wording } = input
  if (input.broken.length > 0) {
    const { texts } = readEntries(input.files)
    const nothing = { isRendered: false, messages: undefined, uses: new Map(), signed: [], answers: [] }
    return { ...nothing, texts, findings: input.broken }
  }
  const lint = lintTexts(input)
  const { findings, isRendered, messages, texts, uses } = lint
  const signed = judgeTexts(texts.patterns, signoff.texts)
  const answers = answerApproved(input, lint, signoff.texts)
  const unsigned = new Set(
    signed.filter(({ state }) => state === 'unsigned').map(({ id, locale }) => `${id} ${locale}`),
  )
  // What a text does to an answer that was never approved itself is told by the text.
  const toTell = answers.filter(({ locale, uses }) => ![...uses].some((id) => unsigned.has(`${id} ${locale}`)))
  const told = new Set(findings.map(({ id }) => id))
  const leftOver = Object.keys(signoff.texts).filter((id) => texts.files[id] === undefined && !told.has(id))
  const ofApproval = [
    ...signed.flatMap((text) => describeState(text, texts.files[text.id] ?? '')),
    ...leftOver.map(describeLeftOver),
    ...describeAnswers(toTell),
    ...(answers.length === 0 ? [] : describeLostAnswers(answers, signoff.answers, told)),
    ...(hashWording(wording) === signoff.wording ? [] : [wordingChanged]),
  ]
  const ofLabels = checkLabels({ ...input, isSettled: isSettled(answers) && hashWording(wording) === signoff.wording })
  // What was approved under a label that lost its row is told by the row.
  const isSigned = ofApproval.length === 0 && ofLabels.length === 0 && answers.length > 0
  const ofVersion = checkVersion({ ...input, patterns: texts.patterns, answers, labels: signoff.labels, isSigned })
  const ofSignoff = [...ofApproval, ...ofLabels, ...ofVersion]
  return { texts, isRendered, messages, uses, signed, answers, findings: [...findings, ...ofSignoff] }
}

const isSettled = (answers: readonly SignedAnswer[]) =>
  answers.length > 0 && answers.every(({ state }) => state === 'signed')

/** What the texts that are approved say in every fixture; nothing while a text is gone that sentences use. */
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
  fix: 'Put them back, or have them reviewed, then: svc insight sign --by NAME.',
}

function describeState({ id, locale, text, state, entry }: SignedText, file: string): Finding[] {
  const sign = `svc insight sign --text ${id} --locale ${locale} --by NAME`
  const where = { file, id, locale, fix: `Have it reviewed, then: ${sign}.` }
  if (state === 'unsigned') {
    return [
      { ...where, code: 'text-unsigned', message: `The text ${id} was never approved in ${locale}.`, after: text },
    ]
  }
  if (entry === undefined || state === 'signed') return []
  const approved = `${entry.by} approved it on ${entry.date} (${entry.ruleVersion})`
  if (state === 'changed') {
    const message = `The text ${id} changed in ${locale} since ${approved}.`
    const fix = `Put the approved text back, or have the new one reviewed, then: ${sign}.`
    return [{ ...where, code: 'text-changed', message, fix, before: entry.text, after: text }]
  }
  const message = `The text ${id} in ${locale} is stale: its ${defaultLocale} source changed since ${approved}.`
  return [{ ...where, code: 'translation-stale', message }]
}

function describeLeftOver(id: string): Finding {
  const message = `The sign-off has the text ${id}, which is no longer in the catalog.`
  const fix = 'If it was deleted on purpose, svc insight sign takes it out; else put the text back.'
  return { code: 'signoff-left-over', file: 'insight/signoff.json', id, message, fix }
}

/** Why texts may not be signed: one of them has a fault, the texts cannot be put together, or the label is an old one. */
export function findObstacles(
  { findings, isRendered }: Check,
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
