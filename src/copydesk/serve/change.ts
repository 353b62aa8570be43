import type { Locale } from '../../insight/types.js'
import { isComment, type ReviewComment } from '../comment-file.js'

/** A change that the page sends as it happens, so that nothing typed is lost. Repeating one has no further effect. */
export type DeskChange =
  /** A name, a mark or an unfinished comment; `null` removes it. */
  | { readonly kind: 'note'; readonly key: string; readonly value: string | null }
  | { readonly kind: 'comment'; readonly comment: ReviewComment }
  | { readonly kind: 'no-comment'; readonly id: string }
  /** The draft of a text in one language; `null` discards it. */
  | { readonly kind: 'draft'; readonly id: string; readonly locale: Locale; readonly text: string | null }

const languages: readonly unknown[] = ['zh-CN', 'en-US', 'es'] satisfies readonly Locale[]
const maxKeyLength = 300
const maxTextLength = 20_000

/** Parses the changes of a request. Returns undefined if one of them is not a change. */
export function parseChanges(value: unknown): readonly DeskChange[] | undefined {
  return Array.isArray(value) && value.every(isChange) ? value : undefined
}

function isChange(value: unknown): value is DeskChange {
  if (typeof value !== 'object' || value === null) return false
  const { comment, id, key, kind, locale, text, value: note } = value as Record<string, unknown>
  if (kind === 'note') return isText(key, maxKeyLength) && (note === null || isText(note, maxTextLength))
  if (kind === 'comment') return isComment(comment)
  if (kind === 'no-comment') return isText(id, maxKeyLength)
  if (kind !== 'draft') return false
  return isText(id, maxKeyLength) && languages.includes(locale) && (text === null || isText(text, maxTextLength))
}

const isText = (value: unknown, maxLength: number) => typeof value === 'string' && value.length <= maxLength
