import { isRuleVersion, ruleVersionForm } from '../../catalog/catalog.js'
import { SvcError } from '../../errors.js'
import type { Locale } from '../../insight/types.js'
import type { ReviewInput } from '../review-input.js'
import { proposeLabel } from '../signoff/label.js'
import type { SignoffSelection } from '../signoff/selection.js'
import { showInSentences } from '../signoff/sentences.js'
import {
  describeUnread,
  findName,
  isNothing,
  nameRule,
  needsLabel,
  type PreparedSigning,
  prepareSigning,
  refuseLabel,
  writeApproved,
} from '../signoff/signing.js'
import { hashText, type SignState } from '../signoff/signoff.js'
import { diffWords, type WordChange } from '../word-diff.js'
import type { SigningRequest } from './requests.js'

export type Signable = ReturnType<typeof listSignable>

export interface SignableItem {
  readonly id: string
  readonly locale: Locale
  readonly state: SignState
  readonly sentences: readonly (readonly WordChange[])[]
  readonly source?: readonly WordChange[]
}

/** Lists everything that the page shows before an approval, in sentences. */
export function listSignable(read: ReviewInput, selection: SignoffSelection) {
  const prepared = prepareSigning(read, selection)
  const { check, input, obstacles, signing } = prepared
  const texts = showInSentences(input, check, signing.texts).map(({ text, ...sentences }): SignableItem => {
    const { id, locale, state } = text
    return { id, locale, state, ...sentences }
  })
  const answers = signing.answers.map(({ entry, id, locale, state, text }): SignableItem => {
    return { id, locale, state, sentences: [diffWords(entry?.text ?? text, text, locale)] }
  })
  return {
    /** Identifies what is shown: exactly that is approved. */
    shown: identify(prepared),
    isNothing: isNothing(signing),
    /** The label that is proposed for the changed texts; absent if they need no label. */
    ...(needsLabel(check) && { label: proposeLabel(read.signoff.labels, read.ruleVersion) }),
    /** The defects to mend first. A missing label is not one: the page asks for it. */
    obstacles: obstacles.flatMap(({ code, fix, message }) => (code === 'version-old' ? [] : [{ fix, message }])),
    items: [...texts, ...answers],
    /** The languages that the approval leaves for other readers, in a sentence. */
    unread: describeUnread(input, check, signing),
    /** The approvals besides those of texts and answers, in words. */
    others: [
      ...(signing.wording ? ['The rules about words changed.'] : []),
      ...(signing.label ? [`The label ${read.ruleVersion} gets its row.`] : []),
      ...signing.leftOver.map((id) => `${id} no longer exists: its approval is removed.`),
    ],
  }
}

/**
 * Approves what the page showed, as `svc insight sign` does. Throws `conflict` if it is not the same any more, and
 * `invalid_request` for a name or a label that cannot be used.
 */
export async function signShown(
  read: ReviewInput,
  { by, label: given, shown, ...selection }: SigningRequest,
  date: string,
): Promise<{ readonly ruleVersion: string }> {
  const name = findName(by)
  const label = given?.trim()
  if (name === undefined) throw new SvcError('invalid_request', nameRule)
  if (label !== undefined && !isRuleVersion(label)) {
    throw new SvcError('invalid_request', `The label must be ${ruleVersionForm}.`)
  }
  const asShown = prepareSigning(read, selection)
  if (identify(asShown) !== shown) {
    throw new SvcError('conflict', 'The texts changed since this list was made, so nothing was approved. Look again.')
  }
  const prepared = label === undefined ? asShown : prepareSigning(read, selection, label)
  if (label !== undefined && needsLabel(prepared.check)) throw refuseLabel(label)
  const [obstacle] = prepared.obstacles
  if (obstacle !== undefined) throw new SvcError('invalid_request', `${obstacle.message} ${obstacle.fix}`)
  const { check, input, signing } = prepared
  await writeApproved(input, check, signing, { by: name, date })
  return { ruleVersion: input.ruleVersion }
}

function identify({ input, signing }: PreparedSigning): string {
  const { answers, leftOver, texts, wording } = signing
  const rows = [...texts, ...answers].map(({ id, locale, state, text }) => [id, locale, state, text])
  return hashText(JSON.stringify([input.ruleVersion, input.pinnedHash, wording, leftOver, rows]))
}
