import { existsSync, readFileSync } from 'node:fs'
import { normalize } from 'node:path'
import { loadInsightCopy, readInsightTexts } from '../../catalog/catalog.js'
import { parseCommentFile, type ReviewComment } from '../../copydesk/comment-file.js'
import { findTextLocation } from '../../copydesk/edit/catalog-file.js'
import { findExample } from '../../copydesk/examples/examples.js'
import { readFixtures } from '../../copydesk/fixtures.js'
import { localeNames } from '../../copydesk/page/words.js'
import { SvcError } from '../../errors.js'
import { generate } from '../../insight/index.js'
import { reasonOf } from '../../runtime/reason.js'
import { createPaint, type Paint } from '../../runtime/style.js'
import { count, toJsonText, toPrintable } from '../../text/words.js'
import type { CommandResult } from '../command.js'

/**
 * `svc insight comments`: prints the comments of reviewers in the order of the catalog, with the current texts. `commentFile` is
 * that of the review page, which does not exist before the first comment.
 */
export async function runComments(
  files: readonly string[],
  commentFile: string,
  json: boolean,
): Promise<CommandResult> {
  const written = files.filter((file) => normalize(file) !== commentFile || existsSync(file))
  if (written.length < files.length) {
    process.stderr.write(`svc: No comments yet: svc insight review --serve keeps them in ${commentFile}.\n`)
  }
  const comments = await placeComments(readCommentFiles(written))
  const text = json ? `${toJsonText({ comments })}\n` : renderComments(comments, createPaint(process.stdout))
  process.stdout.write(text)
  return 0
}

/** Renders the comments of reviewers, each with the text as it was then and as it is now. */
function renderComments(comments: readonly PlacedComment[], paint: Paint): string {
  const changed = comments.filter(({ isChanged }) => isChanged).length
  const end = `${count(comments.length, 'comment')}${changed === 0 ? '' : `, ${changed} on a text that changed since`}.\n`
  return comments.map((comment) => renderComment(comment, paint)).join('') + end
}

function renderComment(comment: PlacedComment, paint: Paint): string {
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

/** A comment with the current state of the catalog text that it is about. */
interface PlacedComment extends ReviewComment {
  /** `catalog/insight/rest.json:24`; absent if the text is no longer in the catalog. */
  readonly place?: string
  /** The current text of the catalog. */
  readonly patternNow?: string
  /** The current text of its example; absent if the fixtures no longer give that example. */
  readonly saidNow?: string
  /** True if the text, or what its example says, changed since the comment was written. */
  readonly isChanged: boolean
}

/**
 * Reads files of comments, `-` for standard input. A comment that is in several files counts once.
 * Throws an SvcError that names the file.
 */
function readCommentFiles(files: readonly string[]): readonly ReviewComment[] {
  const read = files.flatMap((file) => readComments(file))
  return [...new Map(read.map((comment) => [comment.id, comment])).values()]
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

/** Adds the current catalog text to each comment and sorts the comments in the order of the catalog. */
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
    if (file === undefined) return { ...comment, isChanged: true, saidNow }
    const patternNow = patterns[locale][textId] ?? ''
    const isChanged = patternNow !== comment.pattern || (saidNow !== undefined && saidNow !== comment.said)
    const place = findTextLocation(file, { id: textId, locale })
    return { ...comment, place, patternNow, isChanged, saidNow }
  })
  const rank = ({ locale, textId }: ReviewComment) => order.indexOf(textId) * 3 + Object.keys(patterns).indexOf(locale)
  return placed.sort((a, b) => rank(a) - rank(b) || (a.at < b.at ? -1 : 1))
}
