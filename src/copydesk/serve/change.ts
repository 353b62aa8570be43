import { type Locale, locales } from '../../insight/types.js'
import { isComment, type ReviewComment } from '../comment-file.js'

/** A change that the page sends as it happens, so that nothing typed is lost. Repeating one has no further effect. */
export type DeskChange =
  /** A name, a mark or an unfinished comment; `null` removes it. */
  | { readonly kind: 'note'; readonly key: string; readonly value: string | null }
  | { readonly kind: 'comment'; readonly comment: ReviewComment }
  | { readonly kind: 'no-comment'; readonly id: string }
  /** The draft of a text in one language; `null` discards it. */
  | { readonly kind: 'draft'; readonly id: string; readonly locale: Locale; readonly text: string | null }

/** The longest comment and the longest text, in UTF-16 code units. */
export const maxTextLength = 20_000

const maxKeyLength = 300
/** A note holds an unfinished comment as JSON, also one that is too long so far. */
const maxNoteLength = 150_000

/** Returns a change, or the reason why it cannot be kept. Runs in the browser, too. */
export function parseChange(value: unknown): DeskChange | string {
  if (!isChange(value)) return 'This is not a change of the page. Reload the page.'
  const [name, length, most] = measure(value)
  if (length <= most) return value
  const format = (count: number) => count.toLocaleString('en-US')
  return `${name} has ${format(length)} characters, and at most ${format(most)} are kept. Shorten it.`
}

function isChange(value: unknown): value is DeskChange {
  if (typeof value !== 'object' || value === null) return false
  const { comment, id, key, kind, locale, text, value: note } = value as Record<string, unknown>
  if (kind === 'note') return isKey(key) && (note === null || typeof note === 'string')
  if (kind === 'comment') return isComment(comment)
  if (kind === 'no-comment') return isKey(id)
  return (
    kind === 'draft' &&
    isKey(id) &&
    locales.some((one) => one === locale) &&
    (text === null || typeof text === 'string')
  )
}

const isKey = (value: unknown) => typeof value === 'string' && value.length <= maxKeyLength

function measure(change: DeskChange): readonly [name: string, length: number, most: number] {
  if (change.kind === 'comment') return ['The comment', change.comment.comment.length, maxTextLength]
  if (change.kind === 'draft') return ['The draft', change.text?.length ?? 0, maxTextLength]
  return ['The unfinished comment', change.kind === 'note' ? (change.value?.length ?? 0) : 0, maxNoteLength]
}
