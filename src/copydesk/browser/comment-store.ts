import { commentFormat, parseCommentFile, type ReviewComment } from '../comment-file.js'

const key = 'svc-insight-comments'
const nameKey = 'svc-insight-comments-by'

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
}

export function removeComment({ id }: ReviewComment): void {
  change(comments.filter((comment) => comment.id !== id))
}

/** Adds the name to comments that were written before it was entered. */
export function nameComments(name: string): void {
  if (name === '' || comments.every(({ by }) => by !== '')) return
  change(comments.map((comment) => (comment.by === '' ? { ...comment, by: name } : comment)))
}

/** Adds the comments that are new and returns their number. */
export function addComments(more: readonly ReviewComment[]): number {
  const known = new Set(comments.map(({ id }) => id))
  const fresh = [...new Map(more.map((comment) => [comment.id, comment])).values()].filter(({ id }) => !known.has(id))
  if (fresh.length > 0) change([...comments, ...fresh])
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
  isKept = keep(key, JSON.stringify({ format: commentFormat, ruleVersion: '', comments }))
}

/** Loads the stored comments, at the start and when another tab of the page changes them. */
export function loadComments(): void {
  const file = parseCommentFile(recall(key) ?? '')
  comments = typeof file === 'string' ? [] : file.comments
}

export const recallName = (): string => recall(nameKey) ?? ''
export const keepName = (name: string): boolean => keep(nameKey, name)
export const isCommentKey = (changed: string | null): boolean => changed === key || changed === null

function keep(name: string, value: string): boolean {
  try {
    localStorage.setItem(name, value)
    return true
  } catch {
    // Storage is full, or forbidden for pages from disk: the page says so.
    return false
  }
}

function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    // As above: nothing is stored.
    return undefined
  }
}
