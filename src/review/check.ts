import { hashTexts } from '../catalog.js'
import { defaultLocale } from '../insight/types.js'
import { readEntries } from './entries.js'
import { type Finding, isAboutSignoff } from './finding.js'
import { type Lint, type LintInput, lintTexts } from './lint.js'
import { judgeTexts, type SignedText, type Signoff } from './signoff.js'

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
export interface Check extends Pick<Lint, 'texts' | 'isRendered' | 'uses'> {
  readonly findings: readonly Finding[]
  readonly signed: readonly SignedText[]
}

/** Checks the texts and their approval. An unchanged catalog that all reviewers signed has no findings. */
export function checkTexts(input: CheckInput): Check {
  if (input.broken.length > 0) {
    const { texts } = readEntries(input.files)
    return { texts, isRendered: false, uses: new Map(), signed: [], findings: input.broken }
  }
  const { findings, isRendered, texts, uses } = lintTexts(input)
  const signed = judgeTexts(texts.patterns, input.signoff)
  const told = new Set(findings.map(({ id }) => id))
  const leftOver = Object.keys(input.signoff).filter((id) => texts.files[id] === undefined && !told.has(id))
  return {
    texts,
    isRendered,
    uses,
    signed,
    findings: [
      ...findings,
      ...signed.flatMap((text) => describeState(text, texts.files[text.id] ?? '')),
      ...leftOver.map(describeLeftOver),
      ...checkVersion(input, texts.patterns, signed),
    ],
  }
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

/** A label stands for the texts that were approved under it. Source: health detail contract, 9.6. */
function checkVersion(
  { pinnedHash, ruleVersion }: CheckInput,
  patterns: Lint['texts']['patterns'],
  signed: readonly SignedText[],
): Finding[] {
  const hash = hashTexts(patterns)
  const isReused = signed.some(({ state, entry }) => state === 'changed' && entry?.ruleVersion === ruleVersion)
  if (hash === pinnedHash && !isReused) return []
  const message = `The texts are not those that the label ${ruleVersion} stands for.`
  const fix = `Give catalog/insight/version.json a new ruleVersion, and "sha256": "${hash}".`
  return [{ code: 'version-old', file: 'insight/version.json', message, fix }]
}

/** Why texts may not be signed: one of them has a fault, the texts cannot be put together, or the label is an old one. */
export function findObstacles(
  { findings, isRendered }: Check,
  wanted: readonly Pick<SignedText, 'id' | 'locale'>[],
): Finding[] {
  const isWanted = (id: string, locale: Finding['locale']) =>
    wanted.some((text) => text.id === id && (locale === undefined || text.locale === locale))
  return findings.filter((finding) => {
    if (finding.code === 'version-old') return true
    if (isAboutSignoff(finding)) return false
    return !isRendered || finding.id === undefined || isWanted(finding.id, finding.locale)
  })
}
