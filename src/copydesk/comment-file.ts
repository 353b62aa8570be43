import { type Locale, locales } from '../insight/types.js'

/** A comment of a reviewer on a text of the review page. */
export interface ReviewComment {
  /** Unique: reading a file twice adds nothing. */
  readonly id: string
  /** ID of the example that was commented on. */
  readonly example: string
  readonly locale: Locale
  /** Key in `catalog/insight/` of the text that it is about. */
  readonly textId: string
  /** The whole text as the reviewer read it. */
  readonly said: string
  /** The catalog text at that time: an ICU pattern. */
  readonly pattern: string
  readonly comment: string
  /** The author; empty if no name was given. */
  readonly by: string
  /** The time, ISO 8601 in UTC. */
  readonly at: string
}

/** The file that the review page saves and `svc insight comments` reads. */
export interface CommentFile {
  readonly format: typeof commentFormat
  /** Label of the commented texts. */
  readonly ruleVersion: string
  readonly comments: readonly ReviewComment[]
}

export const commentFormat = 'svc-insight-comments-1'

const members = ['id', 'example', 'locale', 'textId', 'said', 'pattern', 'comment', 'by', 'at'] as const

/** Parses a file of comments. Returns a sentence that names the problem if it is not one. Runs in the browser, too. */
export function parseCommentFile(text: string): CommentFile | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'This is not a file of comments: it is not valid JSON.'
  }
  const file = (typeof value === 'object' && value !== null ? value : {}) as Partial<Record<keyof CommentFile, unknown>>
  if (file.format !== commentFormat || !Array.isArray(file.comments)) {
    return 'This is not a file of comments that was saved from the review page.'
  }
  const wrong = file.comments.findIndex((comment) => !isComment(comment))
  if (wrong !== -1) return `Comment ${wrong + 1} of this file is incomplete.`
  const ruleVersion = typeof file.ruleVersion === 'string' ? file.ruleVersion : ''
  return { format: commentFormat, ruleVersion, comments: file.comments as ReviewComment[] }
}

/** True if a value has every member of a comment. */
export function isComment(value: unknown): value is ReviewComment {
  if (typeof value !== 'object' || value === null) return false
  const comment = value as Record<string, unknown>
  return (
    members.every((member) => typeof comment[member] === 'string') &&
    locales.some((locale) => locale === comment.locale)
  )
}
