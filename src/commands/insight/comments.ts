import { existsSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { placeComments, readCommentFiles } from '../../copydesk/comments.js'
import { renderComments } from '../../reports/comment-lines.js'
import { createPaint } from '../../runtime/style.js'
import { toJsonText } from '../../text/words.js'
import type { CommandResult } from '../command.js'
import { reviewFolder } from './review-folder.js'

const commentFile = join(reviewFolder, 'comments.json')

/** `svc insight comments`: prints the comments of reviewers in the order of the catalog, with the current texts. */
export async function runComments(files: readonly string[], json: boolean): Promise<CommandResult> {
  const written = files.filter((file) => !isNotYetWritten(file))
  if (written.length < files.length) {
    process.stderr.write(`svc: No comments yet: svc insight review --serve keeps them in ${commentFile}.\n`)
  }
  const comments = await placeComments(readCommentFiles(written))
  const text = json ? `${toJsonText({ comments })}\n` : renderComments(comments, createPaint(process.stdout))
  process.stdout.write(text)
  return 0
}

/** True for the file of the review page before the first comment. */
function isNotYetWritten(file: string): boolean {
  return normalize(file) === commentFile && !existsSync(file)
}
