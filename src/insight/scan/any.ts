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
    case letterN:
      return readNull(cursor)
    case letterF:
    case letterT:
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

const quote = 0x22
const openBracket = 0x5b
const closeBracket = 0x5d
const letterF = 0x66
const letterN = 0x6e
const letterT = 0x74
const openBrace = 0x7b
const closeBrace = 0x7d
