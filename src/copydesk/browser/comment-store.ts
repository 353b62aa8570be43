import { commentFormat, parseCommentFile, type ReviewComment } from '../comment-file.js'
import { served } from './data.js'
import { listPending, record } from './outbox.js'
import { keep, recall } from './storage.js'

const key = 'svc-insight-comments'

let comments: readonly ReviewComment[] = []
/** True if the browser stores comments; some do not for a page from disk, or in a private window. */
let isKept = true
let isSaved = true

export const listComments = (): readonly ReviewComment[] => comments
/** True if closing the page would lose a comment. */
export const wouldLose = (): boolean => !isKept && !isSaved && comments.length > 0
export const keepsComments = (): boolean => isKept

export function putComment(comment: ReviewComment): void {
  change([...comments.filter(({ id }) => id !== comment.id), comment])
  record({ kind: 'comment', comment })
}

export function removeComment({ id }: ReviewComment): void {
  change(comments.filter((comment) => comment.id !== id))
  record({ kind: 'no-comment', id })
}

/** Adds the name to comments that were written before it was entered. */
export function nameComments(name: string): void {
  if (name === '') return
  for (const comment of comments.filter(({ by }) => by === '')) putComment({ ...comment, by: name })
}

/** Adds the comments that are new and returns their number. */
export function addComments(more: readonly ReviewComment[]): number {
  const known = new Set(comments.map(({ id }) => id))
  const fresh = [...new Map(more.map((comment) => [comment.id, comment])).values()].filter(({ id }) => !known.has(id))
  for (const comment of fresh) putComment(comment)
  return fresh.length
}

/** Returns the file with all comments, which count as saved from here on. */
export function writeFile(ruleVersion: string): string {
  isSaved = true
  return `${JSON.stringify({ format: commentFormat, ruleVersion, comments }, null, 2)}\n`
}

function change(next: readonly ReviewComment[]): void {
  comments = next
  isSaved = false
  // The program keeps the comments of a page that it serves.
  isKept = served !== undefined || keep(key, JSON.stringify({ format: commentFormat, ruleVersion: '', comments }))
}

/** Loads the stored comments, at the start and when another tab of the page changes them. */
export function loadComments(): void {
  if (served !== undefined) {
    comments = loadServed(served.comments)
    return
  }
  const file = parseCommentFile(recall(key) ?? '')
  comments = typeof file === 'string' ? [] : file.comments
}

/** Applies the changes that the program has not acknowledged to what it kept. */
function loadServed(kept: readonly ReviewComment[]): readonly ReviewComment[] {
  const result = new Map(kept.map((comment) => [comment.id, comment]))
  for (const change of listPending()) {
    if (change.kind === 'comment') result.set(change.comment.id, change.comment)
    if (change.kind === 'no-comment') result.delete(change.id)
  }
  return [...result.values()]
}

export const isCommentKey = (changed: string | null): boolean =>
  served === undefined && (changed === key || changed === null)
