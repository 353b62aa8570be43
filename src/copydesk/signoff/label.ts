import { hashTexts } from '../../catalog/catalog.js'
import { type Locale, locales } from '../../insight/types.js'
import { listWords } from '../../text/spelling.js'
import type { Finding } from '../finding.js'
import type { SignedAnswer } from './answers.js'
import { type Approvals, judgeTexts, type Patterns, type Signoff, type SignoffEntry } from './signoff.js'

/** The label of the texts and the approvals that it is checked against. */
export interface VersionInput {
  readonly ruleVersion: string
  /** SHA-256 of the texts that the label names. */
  readonly pinnedHash: string
  readonly patterns: Patterns
  readonly answers: readonly SignedAnswer[]
  readonly labels: Signoff['labels']
  /** True if everything else is approved. */
  readonly isSigned: boolean
}

/** Checks that a label names the texts and words that were approved under it. Source: health detail contract, 9.6. */
export function checkVersion({
  answers,
  isSigned,
  labels,
  patterns,
  pinnedHash,
  ruleVersion,
}: VersionInput): Finding[] {
  const file = 'insight/version.json'
  const hash = hashTexts(patterns)
  const approved = findLabel(labels, ruleVersion)
  const isChanged = approved !== hash || answers.some(({ state }) => state === 'changed')
  if (hash !== pinnedHash || (approved !== undefined && isChanged)) {
    const message = `The texts, or words that the program adds, differ from those that the label ${ruleVersion} names.`
    const label = proposeLabel(labels, ruleVersion)
    const fix = `Sign them with a new label: svc insight sign --rule-version ${label} --by NAME.`
    return [{ code: 'version-old', file, message, fix }]
  }
  if (approved !== undefined || !isSigned) return []
  const same = Object.keys(labels).findLast((label) => labels[label] === hash)
  if (same === undefined) {
    const message = `The label ${ruleVersion} was never approved.`
    return [{ code: 'version-unsigned', file, message, fix: 'Approve it with svc insight sign --by NAME.' }]
  }
  const known = listWords(Object.keys(labels), 'and')
  const message = `The label ${ruleVersion} does not exist, and nothing changed since ${same}. The labels are ${known}.`
  return [{ code: 'version-needless', file, message, fix: `Keep the label ${same}: a new one is for changed texts.` }]
}

/** The label of the texts and the sign-off. */
export interface LabelInput extends Pick<VersionInput, 'ruleVersion' | 'pinnedHash'> {
  readonly signoff: Signoff
  /** True if everything but the texts is approved. */
  readonly isSettled: boolean
}

/**
 * Reports labels with approvals but without a row, which would leave open what they name. The current label gets its
 * row when everything is approved, so it is reported only if the approved texts are those that it names.
 */
export function checkLabels({ isSettled, pinnedHash, ruleVersion, signoff }: LabelInput): Finding[] {
  const labels = listLabels(signoff).filter((label) => findLabel(signoff.labels, label) === undefined)
  return labels.flatMap((label): Finding[] => {
    if (label === ruleVersion && !(isSettled && holds(signoff.texts, pinnedHash))) return []
    const row = label === ruleVersion ? `"${label}": "${pinnedHash}"` : `"${label}"`
    return [
      {
        ...{ code: 'version-gone', file: 'insight/signoff.json' },
        message: `Texts or answers were approved under the label ${label}, but "labels" has no row for it.`,
        fix: `Restore the row ${row}${label === ruleVersion ? '' : ' from the last version of the file'}.`,
      },
    ]
  })
}

/** True if some texts were approved under a label, but not yet all. */
export function isBegun(signoff: Signoff, label: string): boolean {
  return findLabel(signoff.labels, label) === undefined && listLabels(signoff).includes(label)
}

function listLabels({ answers, texts }: Signoff): string[] {
  const entries = [texts, answers].flatMap(listEntries)
  return [...new Set(entries.map(({ ruleVersion }) => ruleVersion))]
}

function listEntries(approvals: Approvals): SignoffEntry[] {
  return Object.values(approvals).flatMap((entries) => locales.flatMap((locale) => entries[locale] ?? []))
}

/** True if every text is approved with its current English source, and the hash of all matches. */
function holds(approvals: Approvals, hash: string): boolean {
  const textsIn = (locale: Locale) =>
    Object.fromEntries(
      Object.entries(approvals).flatMap(([id, { [locale]: entry }]) => (entry === undefined ? [] : [[id, entry.text]])),
    )
  const patterns = { 'zh-CN': textsIn('zh-CN'), 'en-US': textsIn('en-US'), es: textsIn('es') }
  return hashTexts(patterns) === hash && judgeTexts(patterns, approvals).every(({ state }) => state === 'signed')
}

/** Proposes the next label: the current one until it is approved, then the one with the next number. */
export function proposeLabel(labels: Signoff['labels'], ruleVersion: string): string {
  let label = ruleVersion
  while (findLabel(labels, label) !== undefined) {
    label = label.replace(/\d+$/, (number) => String(Number(number) + 1))
  }
  return label
}

function findLabel(labels: Signoff['labels'], label: string): string | undefined {
  return Object.hasOwn(labels, label) ? labels[label] : undefined
}
