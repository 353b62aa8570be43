import { join } from 'node:path'
import { readInsightSignoff } from '../../catalog.js'
import { SvcError } from '../../errors.js'
import { defaultLocale, scenarios } from '../../insight/index.js'
import { type Check, checkTexts, findObstacles } from '../../review/check.js'
import type { Finding } from '../../review/finding.js'
import { type Selection, selectTexts } from '../../review/selection.js'
import { type Patterns, parseSignoff, type SignedText, type Signoff, signTexts } from '../../review/signoff.js'
import { findNearest } from '../../spelling.js'
import type { CommandResult } from '../command.js'
import { toRepositoryPath } from '../formats/github.js'
import { openFile } from '../output/stream.js'
import { createPaint, type Paint } from '../output/style.js'
import { count, escapeControls, toPrintable } from '../output/words.js'
import { locateFinding } from './check.js'
import { renderChange, renderFinding, showText } from './check-formats.js'
import { findCatalogFolder, type ReviewInput, readReviewInput } from './review-input.js'

export interface SignOptions extends Selection {
  readonly by: string
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
  const input = await readReviewInput()
  const check = checkTexts(input)
  requireKnown(options, check)
  const wanted = selectTexts(check, options)
  const obstacles = findObstacles(check, wanted)
  const leftOver = check.findings.filter(({ code }) => code === 'signoff-left-over').map(({ id = '' }) => id)
  const isNothing = wanted.length + leftOver.length === 0
  if (obstacles.length > 0 && (!isNothing || check.signed.length === 0)) {
    process.stderr.write(describeObstacles(obstacles, input))
    return 1
  }
  if (!options.json)
    process.stdout.write(describeSigning(wanted, leftOver, check.texts.patterns, createPaint(process.stdout)))
  if (!isNothing) {
    if (!(options.yes || (await confirmSigning(wanted, leftOver, by)))) return 1
    const signature = { by, date: options.now.toISOString().slice(0, 10), ruleVersion: input.ruleVersion }
    // Read again: somebody else may have signed another text meanwhile.
    await writeSignoff(signTexts(parseSignoff(readInsightSignoff()), check.texts.patterns, wanted, signature))
  }
  process.stdout.write(options.json ? presentSigning(wanted, leftOver) : describeDone(wanted, leftOver, by))
  return 0
}

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

function describeObstacles(obstacles: readonly Finding[], input: ReviewInput): string {
  const paint = createPaint(process.stderr)
  const shown = obstacles.map((finding) => {
    const located = locateFinding(input, finding)
    return `${toRepositoryPath(located.path, process.cwd())}\n${renderFinding(located, paint)}`
  })
  return `${shown.join('')}svc: Nothing was signed: mend ${obstacles.length === 1 ? 'this' : 'these'} first.\n`
}

function describeSigning(
  wanted: readonly SignedText[],
  leftOver: readonly string[],
  patterns: Patterns,
  paint: Paint,
): string {
  const blocks = wanted.map(({ id, locale, state, text, entry }) => {
    const isNew = state === 'changed' && entry !== undefined
    const source = state === 'stale' ? describeSource(id, wanted, patterns) : []
    const lines = [
      `${paint('bold', id)} ${locale}  ${state}`,
      ...(state === 'stale' ? [`        ${showText(text)}`] : []),
      ...renderChange(
        { ...(isNew ? { before: entry.text } : {}), ...(state === 'stale' ? {} : { after: text }) },
        paint,
      ),
      ...source,
    ]
    return `${lines.join('\n')}\n`
  })
  const gone = leftOver.map((id) => `${paint('bold', id)}  no longer in the catalog: its approval is taken out\n`)
  return [...blocks, ...gone].join('')
}

/** What a stale translation is to be compared with, where it is not shown beside it. */
function describeSource(id: string, wanted: readonly SignedText[], patterns: Patterns): string[] {
  const source = patterns[defaultLocale][id]
  const isShown = wanted.some((text) => text.id === id && text.locale === defaultLocale)
  return source === undefined || isShown ? [] : [`      ${defaultLocale} is now: ${showText(source)}`]
}

async function confirmSigning(
  wanted: readonly SignedText[],
  leftOver: readonly string[],
  by: string,
): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new SvcError(
      'invalid_request',
      'Nobody can be asked here, so nothing was signed: --yes signs without asking.',
    )
  }
  const { confirm } = await import('@inquirer/prompts')
  const what =
    wanted.length > 0 ? `Sign ${count(wanted.length, 'text')}` : `Take out ${count(leftOver.length, 'approval')}`
  try {
    return await confirm({ message: `${what} as ${by}?`, default: false }, { output: process.stderr })
  } catch (cause) {
    throw new SvcError('invalid_request', 'The question was not answered, so nothing was signed.', { cause })
  }
}

async function writeSignoff(signoff: Signoff): Promise<void> {
  const file = openFile(join(findCatalogFolder(), 'signoff.json'))
  file.write(`${JSON.stringify(signoff, null, 2)}\n`)
  await file.close()
}

function describeDone(wanted: readonly SignedText[], leftOver: readonly string[], by: string): string {
  const done = [
    ...(wanted.length > 0 ? [`Signed ${count(wanted.length, 'text')} as ${by}.`] : []),
    ...(leftOver.length > 0 ? [`Took out ${count(leftOver.length, 'approval')}.`] : []),
  ]
  return `${done.join(' ') || 'Nothing to sign: every text named is signed as it is.'}\n`
}

function presentSigning(wanted: readonly SignedText[], leftOver: readonly string[]): string {
  const signed = wanted.map(({ id, locale, state }) => ({ text: id, locale, was: state }))
  return `${escapeControls(JSON.stringify({ signed, removed: leftOver }))}\n`
}
