import { findNearest, listWords } from '../text/spelling.js'

/** A problem of the operator's file: a JSON Pointer, and the rest of the sentence. */
export interface ConfigProblem {
  readonly path: string
  readonly sentence: string
}

const charactersShown = 60
/** Matches API keys of providers: a known prefix, or a long text without words. */
const keyLike = /^(?:sk|pk|rk|r8|key|fal|AIza|Bearer)[-_ A-Z0-9]|[\w+/=-]{28,}|[0-9a-f]{16}/i

/** Describes a value in a message. A possible key is not shown. */
export function describeFound(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  const text = String(value)
  return text.length > charactersShown || keyLike.test(text)
    ? `a string of ${text.length} characters`
    : JSON.stringify(text)
}

/** Returns `is X; it must be Y` for a value that is not the expected one. */
export function expect(value: unknown, expected: string): string {
  return value === undefined
    ? `is missing; it must be ${expected}`
    : `is ${describeFound(value)}; it must be ${expected}`
}

/** Returns `is not known; did you mean …?` for a name that is not in a list. */
export function unknownName(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  return `is not known; ${nearest === undefined ? `it takes ${listWords(known, 'or')}` : `did you mean ${JSON.stringify(nearest)}?`}`
}
