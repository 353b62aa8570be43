import { backslash, quote } from './ascii.js'
import type { Cursor } from './cursor.js'

/** Reads any text. */
export function readText(cursor: Cursor): string | undefined {
  const { bytes } = cursor
  const start = cursor.at + 1
  if (bytes[cursor.at] !== quote) return undefined
  let end = start
  while (isPlain[bytes[end] ?? 0] === 1) end++
  if (bytes[end] !== quote) return readUnusual(cursor, end)
  cursor.at = end + 1
  return decode(cursor, start, end)
}

/** Moves behind the closing quote of the text that a cursor stands at, if there is one. Looks for nothing else. */
export function skipText(cursor: Cursor): boolean {
  const { bytes, end } = cursor
  for (let at = cursor.at + 1; at < end; at++) {
    if (bytes[at] === backslash) at++
    else if (bytes[at] === quote) {
      cursor.at = at + 1
      return true
    }
  }
  return false
}

/** Reads the JSON that stands between two indexes with the parser of the language. */
export function parseBetween({ bytes }: Cursor, start: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end))
  } catch {
    // Broken: whoever checks the payload as a whole says how.
    return undefined
  }
}

/** 1 for the bytes that stand for themselves: ASCII, but for control characters, quote and backslash. */
const isPlain = new Uint8Array(256).fill(1, 0x20, 0x80)
isPlain[quote] = 0
isPlain[backslash] = 0

/** Reads a text with an escape or a character beyond ASCII in it. A control character is left to the parser to refuse. */
function readUnusual(cursor: Cursor, unusual: number): string | undefined {
  const start = cursor.at
  if ((cursor.bytes[unusual] ?? 0) < 0x20 || !skipText(cursor)) return undefined
  const text = parseBetween(cursor, start, cursor.at)
  return typeof text === 'string' ? text : undefined
}

/** Dates and most names are no longer. */
const maxKeptLength = 16
const keptTexts = 1024
/** Short texts that were read, and their bytes as four overlapping numbers: to compare is sooner done than to decode. */
const kept: string[] = new Array(keptTexts).fill('')
const keptWords = new Int32Array(4 * keptTexts)

function decode({ bytes, view }: Cursor, start: number, end: number): string {
  const length = end - start
  if (length < 4 || length > maxKeptLength) return bytes.toString('latin1', start, end)
  const last = end - 4
  const [one, two] = [view.getInt32(start, true), view.getInt32(Math.min(start + 4, last), true)]
  const [three, four] = [view.getInt32(Math.min(start + 8, last), true), view.getInt32(last, true)]
  const place = (Math.imul(one ^ Math.imul(two, 31) ^ Math.imul(four, 0x9e3779b1), 0x85ebca6b) >>> 22) & (keptTexts - 1)
  const known = kept[place] ?? ''
  const at = place * 4
  if (
    known.length === length &&
    keptWords[at] === one &&
    keptWords[at + 1] === two &&
    keptWords[at + 2] === three &&
    keptWords[at + 3] === four
  ) {
    return known
  }
  const text = bytes.toString('latin1', start, end)
  kept[place] = text
  keptWords[at] = one
  keptWords[at + 1] = two
  keptWords[at + 2] = three
  keptWords[at + 3] = four
  return text
}
