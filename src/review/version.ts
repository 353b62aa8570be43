import { hashTexts } from '../catalog.js'
import { type Locale, locales } from '../insight/types.js'
import type { SignedAnswer } from './answers.js'
import type { Finding } from './finding.js'
import { type Approvals, judgeTexts, type Patterns, type Signoff, type SignoffEntry } from './signoff.js'

/** The label of the texts, what it stands for, and what was approved under which. */
export interface VersionInput {
  readonly ruleVersion: string
  /** The hash of the texts that the label stands for. */
  readonly pinnedHash: string
  readonly patterns: Patterns
  readonly answers: readonly SignedAnswer[]
  readonly labels: Signoff['labels']
  /** Whether all else is approved. */
  readonly isSigned: boolean
}

/** A label stands for the texts and words that were approved under it, for ever. Source: health detail contract, 9.6. */
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
    const message = `The texts, or words that the program puts in, are not those that the label ${ruleVersion} stands for.`
    const label = proposeLabel(labels, ruleVersion)
    const fix = `Give them a new label as they are signed: svc insight sign --rule-version ${label} --by NAME.`
    return [{ code: 'version-old', file, message, fix }]
  }
  if (approved !== undefined || !isSigned) return []
  const same = Object.keys(labels).findLast((label) => labels[label] === hash)
  if (same === undefined) {
    const message = `The label ${ruleVersion} was never approved.`
    return [{ code: 'version-unsigned', file, message, fix: 'Approve it: svc insight sign --by NAME.' }]
  }
  const message = `The label ${ruleVersion} was never approved, and nothing changed since ${same}.`
  return [{ code: 'version-needless', file, message, fix: `Put the label ${same} back.` }]
}

/** The label of the texts, and what was approved. */
export interface LabelInput extends Pick<VersionInput, 'ruleVersion' | 'pinnedHash'> {
  readonly signoff: Signoff
  /** Whether all but the texts is approved. */
  readonly isSettled: boolean
}

/**
 * Labels under which something was approved, and that have no row: what they stand for is held by nothing. The label that
 * the texts have gets its row once all is approved: it lacks one where the approved texts are those that it stands for.
 */
export function checkLabels({ isSettled, pinnedHash, ruleVersion, signoff }: LabelInput): Finding[] {
  const labels = listLabels(signoff).filter((label) => findLabel(signoff.labels, label) === undefined)
  return labels.flatMap((label): Finding[] => {
    if (label === ruleVersion && !(isSettled && holds(signoff.texts, pinnedHash))) return []
    const row = label === ruleVersion ? `"${label}": "${pinnedHash}"` : `"${label}"`
    return [
      {
        ...{ code: 'version-gone', file: 'insight/signoff.json' },
        message: `Texts or answers were approved under the label ${label}, and its row in "labels" is gone.`,
        fix: `Put the row ${row} back${label === ruleVersion ? '' : ', as the last version of the file has it'}.`,
      },
    ]
  })
}

/** Whether something was approved under a label that does not stand for the whole yet. */
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

/** Whether every text is approved, beside the English that it has now, and all together are those of a hash. */
function holds(approvals: Approvals, hash: string): boolean {
  const textsIn = (locale: Locale) =>
    Object.fromEntries(
      Object.entries(approvals).flatMap(([id, { [locale]: entry }]) => (entry === undefined ? [] : [[id, entry.text]])),
    )
  const patterns = { 'zh-CN': textsIn('zh-CN'), 'en-US': textsIn('en-US'), es: textsIn('es') }
  return hashTexts(patterns) === hash && judgeTexts(patterns, approvals).every(({ state }) => state === 'signed')
}

/** The label that texts get next: the one they have, until it was approved; then the number after it. */
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
