import { join } from 'node:path'
import { hashTexts, isRuleVersion, readInsightSignoff, readInsightVersion, ruleVersionForm } from '../../catalog.js'
import { SvcError } from '../../errors.js'
import { scenarios } from '../../insight/index.js'
import { approve, phraseAnswers } from '../../review/approve.js'
import { type Check, checkTexts, findObstacles } from '../../review/check.js'
import { isWhole, type Selection, selectAnswers, selectTexts } from '../../review/selection.js'
import { parseSignoff } from '../../review/signoff.js'
import { isBegun, proposeLabel } from '../../review/version.js'
import { findNearest } from '../../spelling.js'
import type { CommandResult } from '../command.js'
import { openFile } from '../output/stream.js'
import { createPaint } from '../output/style.js'
import { count, toPrintable } from '../output/words.js'
import { findCatalogFolder, type ReviewInput, readReviewInput } from './review-input.js'
import {
  describeDone,
  describeObstacles,
  describeSigning,
  isNothing,
  nameSigned,
  presentSigning,
  type Signing,
} from './sign-report.js'

export interface SignOptions extends Selection {
  readonly by: string
  /** The label that changed texts get. */
  readonly ruleVersion?: string
  /** Without asking. */
  readonly yes: boolean
  readonly json: boolean
  readonly now: Date
}

/**
 * `svc insight sign`: shows what changed since it was approved, and approves it. Answers 0 done, 1 it must not or shall not
 * be signed; throws for a text that does not exist, a file that cannot be written, and where nobody can be asked.
 */
export async function runSign(options: SignOptions): Promise<CommandResult> {
  const by = requireName(options.by)
  const read = await readReviewInput()
  const asRead = checkTexts(read)
  let input = options.ruleVersion === undefined ? read : relabel(read, asRead, options.ruleVersion)
  let check = input === read ? asRead : checkTexts(input)
  requireKnown(options, check)
  const signing = listSigning(input, check, options)
  const isNew = !isNothing(signing)
  const mayAsk = !options.yes && isNew && process.stdin.isTTY === true && process.stderr.isTTY === true
  const asksLabel = mayAsk && options.ruleVersion === undefined && needsLabel(check)
  const mustBeSound = isNew || check.signed.length === 0 || options.ruleVersion !== undefined
  const obstacles = [
    ...asRead.findings.filter(({ code }) => code === 'version-gone'),
    ...(mustBeSound ? findObstacles(check, signing.texts) : []),
  ].filter(({ code }) => !(asksLabel && code === 'version-old'))
  if (obstacles.length > 0) {
    process.stderr.write(describeObstacles(obstacles, input))
    return 1
  }
  if (!options.json) process.stdout.write(describeSigning(signing, check.texts.patterns, createPaint(process.stdout)))
  if (asksLabel) {
    input = relabel(input, check, await askLabel(input))
    check = checkTexts(input)
    if (needsLabel(check)) throw refuseLabel(input.ruleVersion)
  }
  if (isNew) {
    if (!(options.yes || (await confirmSigning(signing, by)))) return 1
    await writeApproved(input, check, signing, { by, date: options.now.toISOString().slice(0, 10) })
  }
  const { ruleVersion } = input
  process.stdout.write(options.json ? presentSigning(signing, ruleVersion) : describeDone(signing, by, ruleVersion))
  return 0
}

function listSigning(input: ReviewInput, check: Check, selection: Selection): Signing {
  const has = (wanted: string) => check.findings.some(({ code }) => code === wanted)
  const wanted = {
    texts: selectTexts(check, selection),
    answers: selectAnswers(check, selection),
    wording: isWhole(selection) && has('wording-changed'),
  }
  return {
    ...wanted,
    answers: phraseAnswers(input, check, wanted),
    label: has('version-unsigned'),
    leftOver: check.findings.filter(({ code }) => code === 'signoff-left-over').map(({ id = '' }) => id),
  }
}

const needsLabel = ({ findings }: Check) => findings.some(({ code }) => code === 'version-old')

/** The same with a label for the texts as they are now. */
function relabel(input: ReviewInput, { texts }: Check, label: string): ReviewInput {
  if (!isRuleVersion(label)) throw new SvcError('invalid_request', `--rule-version must be ${ruleVersionForm}.`)
  if (label !== input.ruleVersion && isBegun(input.signoff, input.ruleVersion)) throw refuseNext(input.ruleVersion)
  return { ...input, ruleVersion: label, pinnedHash: hashTexts(texts.patterns) }
}

const refuseNext = (begun: string) =>
  new SvcError(
    'invalid_request',
    `Texts were signed under the label ${begun}, and others are still open: sign these under it too (--rule-version ${begun}).`,
  )

const refuseLabel = (label: string) =>
  new SvcError('invalid_request', `The label ${label} stands for other texts already, so nothing was signed.`)

const maxNameLength = 80

function requireName(by: string): string {
  const name = by.trim()
  if (name !== '' && name.length <= maxNameLength && name === toPrintable(name)) return name
  throw new SvcError('invalid_request', `--by must be the name of the reviewer, at most ${maxNameLength} characters.`)
}

function requireKnown({ scenarios: named = [], texts = [] }: Selection, { texts: known }: Check): void {
  const lists = [
    { kind: 'scenario', names: named, known: scenarios.map(({ id }) => id) },
    { kind: 'text', names: texts, known: Object.keys(known.files) },
  ]
  for (const { kind, names, known: candidates } of lists) {
    for (const name of names.filter((candidate) => !candidates.includes(candidate))) {
      const nearest = findNearest(name, candidates)
      const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
      throw new SvcError('not_found', `There is no ${kind} ${JSON.stringify(name)}.${hint}`)
    }
  }
}

async function askLabel({ ruleVersion, signoff }: ReviewInput): Promise<string> {
  const { input } = await import('@inquirer/prompts')
  const validate = (label: string) => {
    if (!isRuleVersion(label)) return `It must be ${ruleVersionForm}.`
    return Object.hasOwn(signoff.labels, label) ? 'This label stands for other texts already.' : true
  }
  const message = 'The changed texts need a label of their own:'
  const proposed = proposeLabel(signoff.labels, ruleVersion)
  return answer(input({ message, default: proposed, validate }, { output: process.stderr }))
}

async function confirmSigning(signing: Signing, by: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new SvcError(
      'invalid_request',
      'Nobody can be asked here, so nothing was signed: --yes signs without asking.',
    )
  }
  const { confirm } = await import('@inquirer/prompts')
  const signed = nameSigned(signing)
  const what = signed === '' ? `Take out ${count(signing.leftOver.length, 'approval')}` : `Sign ${signed}`
  return answer(confirm({ message: `${what} as ${by}?`, default: false }, { output: process.stderr }))
}

async function answer<Value>(question: Promise<Value>): Promise<Value> {
  try {
    return await question
  } catch (cause) {
    throw new SvcError('invalid_request', 'The question was not answered, so nothing was signed.', { cause })
  }
}

async function writeApproved(
  input: ReviewInput,
  check: Check,
  signing: Signing,
  { by, date }: { readonly by: string; readonly date: string },
): Promise<void> {
  const { pinnedHash, ruleVersion } = input
  // Read again: somebody else may have signed another text meanwhile.
  const signoff = parseSignoff(readInsightSignoff())
  const signed = approve({ ...input, signoff }, check, signing, { by, date, ruleVersion })
  const former = readInsightVersion()
  if (former.ruleVersion !== ruleVersion || former.pinnedHash !== pinnedHash) {
    await writeFile('version.json', { ruleVersion, sha256: pinnedHash })
  }
  await writeFile('signoff.json', signed)
}

async function writeFile(name: string, value: unknown): Promise<void> {
  const file = openFile(join(findCatalogFolder(), name))
  file.write(`${JSON.stringify(value, null, 2)}\n`)
  await file.close()
}
