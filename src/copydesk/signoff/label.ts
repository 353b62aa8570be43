import { hashTexts, type TextsLabel } from '../../catalog/catalog.js'
import { byLocale, defaultLocale, type Locale, locales } from '../../insight/types.js'
import { listWords } from '../../text/spelling.js'
import type { Finding } from '../finding.js'
import type { SignedAnswer } from './answers.js'
import { type Approvals, judgeTexts, type Patterns, type Signoff, type SignoffEntry } from './signoff.js'

/** The label of the texts and the approvals that it is checked against. */
export interface VersionInput extends TextsLabel {
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
  mergedVersion,
  patterns,
  pinnedHash,
  ruleVersion,
}: VersionInput): Finding[] {
  const file = 'insight/version.json'
  const hash = hashTexts(patterns)
  const approved = findLabel(labels, ruleVersion)
  const isNamed = mergedVersion !== undefined || approved.includes(hash)
  const isChanged = !isNamed || answers.some(({ state }) => state === 'changed')
  if (hash !== pinnedHash || (approved.length > 0 && isChanged)) {
    const message = `The texts, or words that the program adds, differ from those that the label ${ruleVersion} names.`
    const label = proposeLabel(labels, ruleVersion)
    const fix = `Sign them with a new label: svc insight sign --rule-version ${label} --by NAME.`
    return [{ code: 'version-old', file, message, fix }]
  }
  if (approved.length > 0 || !isSigned) return []
  const known = [...new Set(locales.flatMap((locale) => Object.keys(labels[locale])))]
  const same = known.findLast((label) => findLabel(labels, label).includes(hash))
  if (same === undefined) {
    const message = `The label ${ruleVersion} was never approved.`
    return [{ code: 'version-unsigned', file, message, fix: 'Approve it with svc insight sign --by NAME.' }]
  }
  const message = `The label ${ruleVersion} does not exist, and nothing changed since ${same}. The labels are ${listWords(known, 'and')}.`
  return [{ code: 'version-needless', file, message, fix: `Keep the label ${same}: a new one is for changed texts.` }]
}

/** Reports labels with approvals but without a row, which would leave open what they name, except the current one. */
export function checkLabels(signoff: Signoff, labels: Signoff['labels'], ruleVersion: string): Finding[] {
  const lost = listLabels(signoff).filter((label) => label !== ruleVersion && findLabel(labels, label).length === 0)
  return lost.map((label): Finding => {
    const message = `Texts or answers were approved under the label ${label}, but "labels" has no row for it.`
    const fix = `Restore the row "${label}" from the last version of the file.`
    return { code: 'version-gone', file: 'insight/signoff.json', message, fix }
  })
}

/**
 * Returns the labels with the current one, if the texts that it was given to are all approved: two branches that each
 * approved a part of them leave it without a row.
 */
export function withCurrentLabel({
  pinnedHash,
  ruleVersion,
  signoff,
}: TextsLabel & { signoff: Signoff }): Signoff['labels'] {
  const { labels, texts } = signoff
  const isLost = isBegun(signoff, labels, ruleVersion) && holds(texts, pinnedHash)
  return isLost ? addLabel(labels, ruleVersion, pinnedHash, [defaultLocale]) : labels
}

/** Binds a label to texts, in the rows of the languages that were approved with it. A label that has a row keeps it. */
export function addLabel(
  labels: Signoff['labels'],
  label: string,
  hash: string,
  approved: readonly Locale[],
): Signoff['labels'] {
  if (findLabel(labels, label).length > 0) return labels
  return { ...labels, ...Object.fromEntries(approved.map((locale) => [locale, { ...labels[locale], [label]: hash }])) }
}

/** True if some texts were approved under a label, but not yet all. */
export function isBegun(signoff: Signoff, labels: Signoff['labels'], label: string): boolean {
  return findLabel(labels, label).length === 0 && listLabels(signoff).includes(label)
}

/** Lists the labels under which texts and answers were approved. */
function listLabels({ answers, texts }: Signoff): string[] {
  const entries = [texts, answers].flatMap((approvals) => Object.values(approvals).flatMap(Object.values<SignoffEntry>))
  return [...new Set(entries.map(({ ruleVersion }) => ruleVersion))]
}

/** True if every text is approved with its current English source, and the hash of all matches. */
function holds(approvals: Approvals, hash: string): boolean {
  const patterns = listApproved(approvals)
  return hashTexts(patterns) === hash && judgeTexts(patterns, approvals).every(({ state }) => state === 'signed')
}

/** Returns the approved texts. */
export function listApproved(approvals: Approvals): Patterns {
  return byLocale((locale) =>
    Object.fromEntries(
      Object.entries(approvals).flatMap(([id, { [locale]: entry }]) => (entry === undefined ? [] : [[id, entry.text]])),
    ),
  )
}

/** Proposes the next label: the current one until it is approved, then the one with the next number. */
export function proposeLabel(labels: Signoff['labels'], ruleVersion: string): string {
  let label = ruleVersion
  while (findLabel(labels, label).length > 0) {
    label = label.replace(/\d+$/, (number) => String(Number(number) + 1))
  }
  return label
}

/** Returns the hashes of the texts that have a label: branches may have given it to texts of their own. */
export function findLabel(labels: Signoff['labels'], label: string): readonly string[] {
  return locales.flatMap((locale) => (Object.hasOwn(labels[locale], label) ? (labels[locale][label] ?? []) : []))
}
