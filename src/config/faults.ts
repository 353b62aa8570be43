import { findNearest, listWords } from '../spelling.js'

/** What is wrong in the operator's file: where, as a JSON Pointer, and in words that follow it. */
export interface Fault {
  readonly path: string
  readonly sentence: string
}

const charactersShown = 60
/** What keys of providers look like: a known beginning, or long and without a word in it. */
const keyLike = /^(?:sk|pk|rk|r8|key|fal|AIza|Bearer)[-_ A-Z0-9]|[\w+/=-]{28,}|[0-9a-f]{16}/i

/** A value as a message shows it. What may be a key is not shown. */
export function describeFound(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  const text = String(value)
  return text.length > charactersShown || keyLike.test(text)
    ? `a text of ${text.length} characters`
    : JSON.stringify(text)
}

/** `is X; it must be Y.`, for a value that is not what is expected. */
export function expect(value: unknown, expected: string): string {
  return value === undefined
    ? `is missing; it must be ${expected}`
    : `is ${describeFound(value)}; it must be ${expected}`
}

/** `is not known; did you mean …?`, for a name out of a list. */
export function unknownName(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  return `is not known; ${nearest === undefined ? `it takes ${listWords(known, 'or')}` : `did you mean ${JSON.stringify(nearest)}?`}`
}
