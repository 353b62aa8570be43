import { closeBrace, closeBracket, lowerF, lowerN, lowerT, openBrace, openBracket, quote } from './ascii.js'
import type { Cursor } from './cursor.js'
import { readNumber } from './number.js'
import { readBoolean, readNull } from './scalars.js'
import { parseBetween, readText, skipText } from './text.js'

/** Reads whatever stands there. */
export function readAny(cursor: Cursor): unknown {
  switch (cursor.bytes[cursor.at]) {
    case quote:
      return readText(cursor)
    case openBrace:
    case openBracket:
      return readNested(cursor)
    case lowerN:
      return readNull(cursor)
    case lowerF:
    case lowerT:
      return readBoolean(cursor)
    default:
      return readNumber(cursor)
  }
}

/** Reads an object or array: looks for its end, and leaves the rest to the parser of the language. */
function readNested(cursor: Cursor): unknown {
  const { bytes, end } = cursor
  const start = cursor.at
  let depth = 0
  while (cursor.at < end) {
    const byte = bytes[cursor.at]
    if (byte === quote) {
      if (!skipText(cursor)) return undefined
      continue
    }
    cursor.at++
    if (byte === openBrace || byte === openBracket) depth++
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) {
      return parseBetween(cursor, start, cursor.at)
    }
  }
  return undefined
}
