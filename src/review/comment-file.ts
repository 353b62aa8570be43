import type { Locale } from '../insight/types.js'

/** What a reviewer wrote about a text on the review page. */
export interface ReviewComment {
  /** Unique: a file that is read in twice adds nothing. */
  readonly id: string
  /** The example beside which it was written. */
  readonly example: string
  readonly locale: Locale
  /** Key in `catalog/insight/` of the text it is about. */
  readonly textId: string
  /** The whole text as it was read. */
  readonly said: string
  /** The text of the catalog as it was then: an ICU pattern. */
  readonly pattern: string
  readonly comment: string
  /** Who wrote it; empty where no name was given. */
  readonly by: string
  /** When, ISO 8601 in UTC. */
  readonly at: string
}

/** The file that the review page saves and `svc insight comments` reads. */
export interface CommentFile {
  readonly format: typeof commentFormat
  /** Label of the texts that were read. */
  readonly ruleVersion: string
  readonly comments: readonly ReviewComment[]
}

export const commentFormat = 'svc-insight-comments-1'

const members = ['id', 'example', 'locale', 'textId', 'said', 'pattern', 'comment', 'by', 'at'] as const
const languages: readonly unknown[] = ['zh-CN', 'en-US', 'es'] satisfies readonly Locale[]

/**
 * Reads a file of comments. Answers a sentence that says what is wrong for a text that is none.
 * Runs in the browser, too.
 */
export function parseCommentFile(text: string): CommentFile | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'This is not a file of comments: it is not JSON.'
  }
  const file = (typeof value === 'object' && value !== null ? value : {}) as Partial<Record<keyof CommentFile, unknown>>
  if (file.format !== commentFormat || !Array.isArray(file.comments)) {
    return 'This is not a file of comments that was saved from the review page.'
  }
  const wrong = file.comments.findIndex((comment) => !isComment(comment))
  if (wrong !== -1) return `Comment ${wrong + 1} of this file is not whole.`
  const ruleVersion = typeof file.ruleVersion === 'string' ? file.ruleVersion : ''
  return { format: commentFormat, ruleVersion, comments: file.comments as ReviewComment[] }
}

function isComment(value: unknown): value is ReviewComment {
  if (typeof value !== 'object' || value === null) return false
  const comment = value as Record<string, unknown>
  return members.every((member) => typeof comment[member] === 'string') && languages.includes(comment.locale)
}
