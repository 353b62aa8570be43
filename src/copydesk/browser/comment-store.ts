import type { ReviewComment } from '../comment-file.js'
import { served } from './data.js'
import { listPending, record } from './outbox.js'

/** The comments by ID: what the program kept, with the changes that it has not acknowledged. */
const comments = new Map((served?.comments ?? []).map((comment) => [comment.id, comment]))
for (const change of listPending()) {
  if (change.kind === 'comment') comments.set(change.comment.id, change.comment)
  if (change.kind === 'no-comment') comments.delete(change.id)
}

export const listComments = (): readonly ReviewComment[] => [...comments.values()]
export const findComment = (id: string): ReviewComment | undefined => comments.get(id)

export function putComments(changed: readonly ReviewComment[]): void {
  for (const comment of changed) comments.set(comment.id, comment)
  record(...changed.map((comment) => ({ kind: 'comment', comment }) as const))
}

export function removeComment({ id }: ReviewComment): void {
  comments.delete(id)
  record({ kind: 'no-comment', id })
}

/** Adds the name to comments that were written before it was entered. */
export function nameComments(name: string): void {
  if (name === '') return
  putComments(listComments().flatMap((comment) => (comment.by === '' ? [{ ...comment, by: name }] : [])))
}
