import { hashTexts } from '../catalog.js'
import type { SignedAnswer } from './answers.js'
import type { Finding } from './finding.js'
import type { Patterns, Signoff } from './signoff.js'

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
