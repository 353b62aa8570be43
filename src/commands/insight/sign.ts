import { isRuleVersion, ruleVersionForm } from '../../catalog/catalog.js'
import { type ReviewInput, readReviewInput } from '../../copydesk/review-input.js'
import { proposeLabel } from '../../copydesk/signoff/label.js'
import { prepareSigning } from '../../copydesk/signoff/prepare.js'
import type { SignoffSelection } from '../../copydesk/signoff/selection.js'
import { showInSentences } from '../../copydesk/signoff/sentences.js'
import {
  findName,
  isNothing,
  nameRule,
  needsLabel,
  refuseLabel,
  requireName,
  type Signing,
  writeApproved,
} from '../../copydesk/signoff/signing.js'
import { SvcError } from '../../errors.js'
import {
  describeDone,
  describeObstacles,
  describeSigning,
  nameSigned,
  presentSigning,
} from '../../reports/signing-lines.js'
import { createPaint } from '../../runtime/style.js'
import { count } from '../../text/words.js'
import type { CommandResult } from '../command.js'

export interface SignOptions extends SignoffSelection {
  /** The name of the reviewer; asked for on a terminal if it is not given. */
  readonly by?: string
  /** The label for changed texts. */
  readonly ruleVersion?: string
  /** True: sign without asking. */
  readonly yes: boolean
  readonly json: boolean
  readonly now: Date
}

/**
 * `svc insight sign`: shows what changed since approval, and approves it. Returns 0 when done, 1 if findings block it
 * or the reviewer declines. Throws for an unknown text, a file that cannot be written, and if it cannot ask.
 */
export async function runSign(options: SignOptions): Promise<CommandResult> {
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true
  const name = options.by === undefined && canAsk && !options.yes ? undefined : requireName(options.by ?? '')
  const read = await readReviewInput()
  let prepared = prepareSigning(read, options, options.ruleVersion)
  const isNew = !isNothing(prepared.signing)
  const asksLabel = canAsk && !options.yes && isNew && options.ruleVersion === undefined && needsLabel(prepared.check)
  const obstacles = prepared.obstacles.filter(({ code }) => !(asksLabel && code === 'version-old'))
  if (obstacles.length > 0) {
    process.stderr.write(describeObstacles(obstacles, prepared.input))
    return 1
  }
  if (!options.json) {
    const { check, input, signing } = prepared
    const texts = showInSentences(input, check, signing.texts)
    process.stdout.write(describeSigning(signing, texts, createPaint(process.stdout)))
  }
  const by = name ?? (isNew ? await askName() : '')
  if (asksLabel) {
    prepared = prepareSigning(read, options, await askLabel(read))
    if (needsLabel(prepared.check)) throw refuseLabel(prepared.input.ruleVersion)
  }
  const { check, input, signing } = prepared
  if (isNew) {
    if (!(options.yes || (await confirmSigning(signing, by)))) return 1
    await writeApproved(input, check, signing, { by, date: options.now.toISOString().slice(0, 10) })
  }
  const { ruleVersion } = input
  process.stdout.write(options.json ? presentSigning(signing, ruleVersion) : describeDone(signing, by, ruleVersion))
  return 0
}

async function askName(): Promise<string> {
  const { input } = await import('@inquirer/prompts')
  const validate = (name: string) => findName(name) !== undefined || nameRule
  return requireName(await answer(input({ message: 'Who signs? Your name:', validate }, { output: process.stderr })))
}

async function askLabel({ ruleVersion, signoff }: ReviewInput): Promise<string> {
  const { input } = await import('@inquirer/prompts')
  const validate = (label: string) => {
    if (!isRuleVersion(label)) return `It must be ${ruleVersionForm}.`
    return Object.hasOwn(signoff.labels, label) ? 'This label already names other texts.' : true
  }
  const message = 'The changed texts need a new label:'
  const proposed = proposeLabel(signoff.labels, ruleVersion)
  return answer(input({ message, default: proposed, validate }, { output: process.stderr }))
}

async function confirmSigning(signing: Signing, by: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new SvcError('invalid_request', 'Nothing was signed: without a terminal, confirm with --yes.')
  }
  const { confirm } = await import('@inquirer/prompts')
  const signed = nameSigned(signing)
  const what = signed === '' ? `Remove ${count(signing.leftOver.length, 'approval')}` : `Sign ${signed}`
  return answer(confirm({ message: `${what} as ${by}?`, default: false }, { output: process.stderr }))
}

async function answer<Value>(question: Promise<Value>): Promise<Value> {
  try {
    return await question
  } catch (cause) {
    throw new SvcError('invalid_request', 'The question was not answered, so nothing was signed.', { cause })
  }
}
