import { lowerN } from './ascii.js'
import { type Cursor, createToken, type Read, take } from './cursor.js'
import { readText } from './text.js'

/** Reads what another reader reads, or null. */
export function orNull(read: Read): Read {
  return (cursor) => (cursor.bytes[cursor.at] === lowerN ? readNull(cursor) : read(cursor))
}

/** Reads true or false. */
export function readBoolean(cursor: Cursor): boolean | undefined {
  if (take(cursor, trueToken)) return true
  return take(cursor, falseToken) ? false : undefined
}

/** Reads null. */
export function readNull(cursor: Cursor): null | undefined {
  return take(cursor, nullToken) ? null : undefined
}

/** Reads a text of some length in characters that matches a pattern. */
export function createTextRead(minLength: number, maxLength: number | null, pattern: string | null): Read {
  if (minLength === 0 && maxLength === null && pattern === null) return readText
  const most = maxLength ?? Number.POSITIVE_INFINITY
  const expression = pattern === null ? undefined : new RegExp(pattern, 'u')
  return (cursor) => {
    const text = readText(cursor)
    // Counted in UTF-16 units, of which there are never less than characters, and some where there is one.
    if (text === undefined || text.length < minLength || text.length > most) return undefined
    return expression === undefined || expression.test(text) ? text : undefined
  }
}

/** Reads one of some texts. */
export function createChoiceRead(values: readonly string[]): Read {
  const choices = values.map((value) => ({ value, token: createToken(`"${value}"`) }))
  return (cursor) => {
    for (const { value, token } of choices) if (take(cursor, token)) return value
    return undefined
  }
}

const nullToken = createToken('null')
const trueToken = createToken('true')
const falseToken = createToken('false')
