import { type CopyCheck, checkTexts, findObstacles } from '../check.js'
import type { Finding } from '../finding.js'
import type { ReviewInput } from '../review-input.js'
import type { SignoffSelection } from './selection.js'
import { isNothing, listSigning, relabel, requireKnown, type Signing } from './signing.js'

/** Everything open in a selection, and what blocks its approval. */
export interface PreparedSigning {
  /** The texts, under the new label if there is one. */
  readonly input: ReviewInput
  readonly check: CopyCheck
  readonly signing: Signing
  readonly obstacles: readonly Finding[]
}

/**
 * Lists what a selection approves, under a new label for changed texts if one is given. Without one, the finding
 * `version-old` is among the obstacles. Throws for an unknown text and for a label that cannot be used.
 */
export function prepareSigning(read: ReviewInput, selection: SignoffSelection, ruleVersion?: string): PreparedSigning {
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
