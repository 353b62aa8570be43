import { join } from 'node:path'
import {
  hashTexts,
  isRuleVersion,
  labelTexts,
  readInsightSignoff,
  readInsightVersion,
  ruleVersionForm,
} from '../../catalog/catalog.js'
import { SvcError } from '../../errors.js'
import { byLocale, defaultLocale, type Locale, locales, scenarios } from '../../insight/index.js'
import { writeWhole } from '../../runtime/output.js'
import { findNearest, listWords } from '../../text/spelling.js'
import { count, toPrintable } from '../../text/words.js'
import { answerApproved, type CheckInput, type CopyCheck, checkTexts, findObstacles } from '../check.js'
import { hashWording } from '../lint/wording.js'
import { localeNames } from '../page/words.js'
import { findCatalogFolder, type ReviewInput } from '../review-input.js'
import { type SignedAnswer, signAnswers } from './answers.js'
import { addLabel, isBegun, listApproved } from './label.js'
import { isWhole, type SignoffSelection, selectAnswers, selectTexts } from './selection.js'
import {
  formatSignoff,
  judgeTexts,
  parseSignoff,
  type Signature,
  type SignedText,
  type Signoff,
  signTexts,
} from './signoff.js'

/** The approvals that `svc insight sign` adds and removes. */
export type Signing = ReturnType<typeof listSigning>

export function isNothing({ answers, label, leftOver, texts, wording }: Signing): boolean {
  return texts.length + answers.length + leftOver.length === 0 && !wording && !label
}

/** Lists everything in a selection that is open. */
function listSigning(input: ReviewInput, check: CopyCheck, selection: SignoffSelection) {
  const has = (wanted: string) => check.findings.some(({ code }) => code === wanted)
  const wanted = {
    texts: selectTexts(check, selection),
    answers: selectAnswers(check, selection),
    wording: isWhole(selection) && has('wording-changed'),
  }
  return {
    ...wanted,
    answers: phraseAnswers(input, check, wanted),
    /** True if only the label is missing: everything else is approved. */
    label: has('version-unsigned'),
    /** IDs of deleted texts and fixtures that still have approvals. */
    leftOver: check.findings.filter(({ code }) => code === 'signoff-left-over').map(({ id = '' }) => id),
  }
}

/** True if the texts changed and their label did not. */
export const needsLabel = ({ findings }: CopyCheck) => findings.some(({ code }) => code === 'version-old')

export type PreparedSigning = ReturnType<typeof prepareSigning>

/**
 * Lists everything open in a selection, and what blocks its approval. `input` is under a new label for changed texts if one is
 * given; without one, the finding `version-old` is among the obstacles. Throws for an unknown text and for a label that cannot
 * be used.
 */
export function prepareSigning(read: ReviewInput, selection: SignoffSelection, ruleVersion?: string) {
  const asRead = checkTexts(read)
  const input = ruleVersion === undefined ? read : relabel(read, asRead, ruleVersion)
  const check = input === read ? asRead : checkTexts(input, asRead)
  requireKnown(selection, check)
  const signing = listSigning(input, check, selection)
  const mustBeSound = !isNothing(signing) || check.signed.length === 0 || ruleVersion !== undefined
  const obstacles = [
    ...asRead.findings.filter(({ code }) => code === 'version-gone'),
    ...(mustBeSound ? findObstacles(check, signing.texts) : []),
  ]
  return { input, check, signing, obstacles }
}

/** Gives the texts, as they are now, a label. Throws for a malformed label, and while an earlier label is unfinished. */
function relabel(input: ReviewInput, { labels, texts }: CopyCheck, label: string): ReviewInput {
  if (!isRuleVersion(label)) throw new SvcError('invalid_request', `--rule-version must be ${ruleVersionForm}.`)
  const { ruleVersion: begun, signoff } = input
  if (label !== begun && isBegun(signoff, labels, begun)) {
    throw new SvcError(
      'invalid_request',
      `Some texts were signed under the label ${begun} and others are still open: sign these under it too (--rule-version ${begun}).`,
    )
  }
  return { ...input, ruleVersion: label, pinnedHash: hashTexts(texts.patterns), mergedVersion: undefined }
}

export const refuseLabel = (label: string) =>
  new SvcError('invalid_request', `The label ${label} already names other texts, so nothing was signed.`)

const maxNameLength = 80

/** Returns the trimmed name of a reviewer; undefined if it is empty, too long or not printable. */
export function findName(by: string): string | undefined {
  const name = by.trim()
  return name !== '' && name.length <= maxNameLength && name === toPrintable(name) ? name : undefined
}

/** Tells a reviewer who is asked what a name may be. */
export const nameRule = `Enter your name, at most ${maxNameLength} characters.`

/** Returns the trimmed name of the reviewer. Throws an SvcError if it cannot be one. */
export function requireName(by: string | undefined): string {
  const name = findName(by ?? '')
  if (name !== undefined) return name
  if (by === undefined) throw new SvcError('invalid_request', '--by is missing: the name of the reviewer.')
  throw new SvcError('invalid_request', `--by must be the name of the reviewer, at most ${maxNameLength} characters.`)
}

/** Throws `not_found` with the nearest ID for a text or scenario that does not exist. */
function requireKnown({ scenarios: named = [], texts = [] }: SignoffSelection, { texts: known }: CopyCheck): void {
  const lists = [
    { kind: 'scenario', names: named, known: scenarios.map(({ id }) => id) },
    { kind: 'text', names: texts, known: Object.keys(known.files) },
  ]
  for (const { kind, names, known: candidates } of lists) {
    for (const name of names.filter((candidate) => !candidates.includes(candidate))) {
      const nearest = findNearest(name, candidates)
      const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
      throw new SvcError('not_found', `The ${kind} ${JSON.stringify(name)} does not exist.${hint}`)
    }
  }
}

/** Writes the approvals, and the label of the languages that were approved. */
export async function writeApproved(
  input: ReviewInput,
  check: CopyCheck,
  signing: Signing,
  { by, date }: { readonly by: string; readonly date: string },
): Promise<void> {
  const { pinnedHash, ruleVersion } = input
  // Read again: another reviewer may have signed texts in the meantime.
  const signoff = parseSignoff(readInsightSignoff())
  const signed = approve({ ...input, signoff }, check, signing, { by, date, ruleVersion })
  const { patterns } = check.texts
  const rows = readInsightVersion()
  const former = labelTexts(rows, patterns)
  const isNew = former.ruleVersion !== ruleVersion || former.pinnedHash !== pinnedHash
  const open = judgeTexts(patterns, signed.texts).filter(({ state }) => state !== 'signed')
  const next = byLocale((locale) => {
    // The form of the file before has no hash for each language: that of the approved texts.
    const row = { ...rows[locale], texts: rows[locale].texts || hashTexts(listApproved(signoff.texts), [locale]) }
    const texts = hashTexts(patterns, [locale])
    const isDone = texts !== row.texts && !open.some((text) => text.locale === locale)
    const isLabelled = isNew && listApprovedLocales(signing).includes(locale)
    return isDone || isLabelled ? { ruleVersion, texts, catalog: pinnedHash } : row
  })
  await writeWhole(join(findCatalogFolder(), 'version.json'), `${JSON.stringify(next, null, 2)}\n`)
  await writeWhole(join(findCatalogFolder(), 'signoff.json'), formatSignoff(signed))
}

/** Returns the languages that an approval is about. */
function listApprovedLocales({ answers, texts }: Wanted): readonly Locale[] {
  const wanted = locales.filter((locale) => [...texts, ...answers].some((one) => one.locale === locale))
  return wanted.length > 0 ? wanted : [defaultLocale]
}

/** The texts, answers and rules to approve as they are now. */
interface Wanted {
  readonly texts: readonly SignedText[]
  readonly answers: readonly SignedAnswer[]
  /** The rules about words. */
  readonly wording: boolean
}

/**
 * Approves the wanted items; answers follow the approved texts that they use. When nothing is left open, the label is
 * bound to the texts for good.
 */
export function approve(input: CheckInput, check: CopyCheck, wanted: Wanted, signature: Signature): Signoff {
  const { signoff, wording } = input
  const { patterns } = check.texts
  const texts = signTexts(signoff.texts, patterns, wanted.texts, signature)
  const after = answerApproved(input, check, texts)
  const answers = after.length === 0 ? signoff.answers : signAnswers(check.answers, after, wanted.answers, signature)
  const labels = byLocale((locale) => ({ ...check.labels[locale], ...signoff.labels[locale] }))
  const signed: Signoff = {
    ...signoff,
    labels,
    wording: wanted.wording ? hashWording(wording) : signoff.wording,
    texts,
    answers,
  }
  const states = [...judgeTexts(patterns, texts), ...answerApproved({ ...input, signoff: signed }, check, texts)]
  const isWhole = states.every(({ state }) => state === 'signed') && signed.wording === hashWording(wording)
  if (!isWhole || after.length === 0) return signed
  return { ...signed, labels: addLabel(labels, signature.ruleVersion, input.pinnedHash, listApprovedLocales(wanted)) }
}

/** Returns a sentence on the texts that need a reader after an approval, by language; undefined if every text is signed. */
export function describeUnread({ signoff }: CheckInput, check: CopyCheck, { texts }: Wanted): string | undefined {
  const { patterns } = check.texts
  const open = judgeTexts(patterns, signTexts(signoff.texts, patterns, texts, nobody)).filter(
    ({ state }) => state !== 'signed',
  )
  const left = locales.flatMap((locale) => {
    const own = open.filter((text) => text.locale === locale).length
    return own === 0 ? [] : [`${localeNames[locale]} (${count(own, 'text')})`]
  })
  return left.length === 0 ? undefined : `These languages still need a reader: ${listWords(left, 'and')}.`
}

const nobody: Signature = { by: '', date: '', ruleVersion: '' }

/** Returns the wanted answers in the words that they have after the wanted texts are approved. */
function phraseAnswers(input: CheckInput, check: CopyCheck, { answers, texts }: Wanted): SignedAnswer[] {
  const { signoff } = input
  const after = answerApproved(input, check, signTexts(signoff.texts, check.texts.patterns, texts, nobody))
  const phrased = new Map(after.map((answer) => [`${answer.id} ${answer.locale}`, answer.text]))
  return answers.map((answer) => ({ ...answer, text: phrased.get(`${answer.id} ${answer.locale}`) ?? answer.text }))
}
