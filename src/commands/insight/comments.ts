import { placeComments, readCommentFiles } from '../../copydesk/comments.js'
import { renderComments } from '../../reports/comments.js'
import { createPaint } from '../../runtime/style.js'
import { toJsonText } from '../../text/words.js'
import type { CommandResult } from '../command.js'

/** `svc insight comments`: prints the comments of reviewers in the order of the catalog, with the current texts. */
export async function runComments(files: readonly string[], json: boolean): Promise<CommandResult> {
  const comments = await placeComments(readCommentFiles(files))
  const text = json ? `${toJsonText({ comments })}\n` : renderComments(comments, createPaint(process.stdout))
  process.stdout.write(text)
  return 0
}
