import { existsSync } from 'node:fs'
import { normalize } from 'node:path'
import { type PlacedComment, placeComments, readCommentFiles } from '../../copydesk/comments.js'
import { localeNames } from '../../copydesk/page/words.js'
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
