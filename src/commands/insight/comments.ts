import { readFileSync } from 'node:fs'
import { loadInsightCopy, readInsightTexts } from '../../catalog.js'
import { SvcError } from '../../errors.js'
import { generate } from '../../insight/index.js'
import { parseCommentFile, type ReviewComment } from '../../review/comment-file.js'
import { findExample } from '../../review/examples.js'
import { localeNames } from '../../review/page-words.js'
import type { CommandResult } from '../command.js'
import { reasonOf } from '../input/reason.js'
import { createPaint, type Paint } from '../output/style.js'
import { count, escapeControls, toPrintable } from '../output/words.js'
import { describePlace } from './catalog-file.js'
import { readFixtures } from './review-input.js'

/** A comment beside the text of the catalog that it is about, as that is now. */
interface PlacedComment extends ReviewComment {
  /** `catalog/insight/rest.json:24`; absent where the catalog no longer has the text. */
  readonly place?: string
  /** The text of the catalog now. */
  readonly patternNow?: string
  /** What its example says now; absent where no fixture gives that example any more. */
  readonly saidNow?: string
  /** Whether the text, or what its example says, is another than when the comment was written. */
  readonly isChanged: boolean
}

/** `svc insight comments`: what reviewers wrote, in the order of the catalog, beside the texts as they are now. */
export async function runComments(files: readonly string[], json: boolean): Promise<CommandResult> {
  const read = files.flatMap((file) => readComments(file))
  const comments = [...new Map(read.map((comment) => [comment.id, comment])).values()]
  const placed = await placeComments(comments)
  if (json) process.stdout.write(`${escapeControls(JSON.stringify({ comments: placed }))}\n`)
  else process.stdout.write(printComments(placed, createPaint(process.stdout)))
  return 0
}

function readComments(file: string): readonly ReviewComment[] {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (cause) {
    throw new SvcError('invalid_request', `${file} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
  const found = parseCommentFile(text)
  if (typeof found === 'string') throw new SvcError('invalid_request', `${file}: ${found}`)
  return found.comments
}

async function placeComments(comments: readonly ReviewComment[]): Promise<readonly PlacedComment[]> {
  const { files, patterns } = readInsightTexts()
  const copy = await loadInsightCopy()
  const fixtures = await readFixtures()
  const order = Object.keys(files)
  const placed = comments.map((comment): PlacedComment => {
    const { locale, textId } = comment
    const file = Object.hasOwn(files, textId) ? files[textId] : undefined
    const payload = findExample(comment.example, fixtures)
    const saidNow = payload && generate(payload, { copy, locale }).summary
    if (file === undefined) return { ...comment, isChanged: true, ...(saidNow !== undefined && { saidNow }) }
    const patternNow = patterns[locale][textId] ?? ''
    const isChanged = patternNow !== comment.pattern || (saidNow !== undefined && saidNow !== comment.said)
    const place = describePlace(file, { id: textId, locale })
    return { ...comment, place, patternNow, isChanged, ...(saidNow !== undefined && { saidNow }) }
  })
  const rank = ({ locale, textId }: ReviewComment) => order.indexOf(textId) * 3 + Object.keys(patterns).indexOf(locale)
  return placed.sort((a, b) => rank(a) - rank(b) || (a.at < b.at ? -1 : 1))
}

function printComments(comments: readonly PlacedComment[], paint: Paint): string {
  const changed = comments.filter(({ isChanged }) => isChanged).length
  const end = `${count(comments.length, 'comment')}${changed === 0 ? '' : `, ${changed} on a text that changed since`}.\n`
  return comments.map((comment) => printComment(comment, paint)).join('') + end
}

function printComment(comment: PlacedComment, paint: Paint): string {
  const { at, by, isChanged, locale, pattern, patternNow, place, said, saidNow, textId } = comment
  const line = (name: string, text: string) => `  ${paint('dim', name.padEnd(8))}  ${toPrintable(text)}\n`
  const head = `${place ?? 'No longer in the catalog'}  ${toPrintable(textId)}  ${localeNames[locale]}`
  const words = comment.comment.split('\n').map((text) => `  ${toPrintable(text)}\n`)
  const isOther = patternNow !== undefined && patternNow !== pattern
  return [
    `${paint('bold', head)}\n`,
    ...words,
    line('from', `${by || 'no name'}, ${at.slice(0, 10)}`),
    line('read', said),
    ...(isChanged ? [`  ${paint('yellow', 'The text changed since this comment:')}\n`] : []),
    ...(saidNow !== undefined && saidNow !== said ? [line('reads', saidNow)] : []),
    ...(isOther ? [line('was', pattern)] : []),
    ...(patternNow === undefined ? [] : [line('text', patternNow)]),
    '\n',
  ].join('')
}
