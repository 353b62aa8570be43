import { carriageReturn, lineFeed, space, tab } from './ascii.js'
/** Where a scan stands in some bytes that hold JSON. */
export interface Cursor {
  readonly bytes: Buffer
  /** The same bytes, to be read four at once. */
  readonly view: DataView
  /** Index of the byte that comes next. */
  at: number
  /** Index behind the last byte of the payload. */
  end: number
  /** Whether a member was read that its object is not known to have. */
  hasUnknown: boolean
}

/**
 * Reads the value that a cursor stands at and moves behind it. Answers `undefined` when the value is not what is asked for,
 * or when that is in doubt; where the cursor stands then means nothing.
 */
export type Read = (cursor: Cursor) => unknown

/** A cursor at the first of some bytes; `end` is for the caller to set. */
export function createCursor(bytes: Buffer): Cursor {
  return {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    at: 0,
    end: 0,
    hasUnknown: false,
  }
}

/** ASCII text to compare with, as little-endian numbers of four bytes; the last one overlaps the one before. */
export interface Token {
  readonly words: readonly number[]
  readonly length: number
}

/** Throws a RangeError for a text of less than four characters. */
export function createToken(text: string): Token {
  const bytes = Buffer.from(text, 'latin1')
  const whole = Array.from({ length: Math.ceil(bytes.length / 4) - 1 }, (_, index) => bytes.readInt32LE(index * 4))
  return { words: [...whole, bytes.readInt32LE(bytes.length - 4)], length: bytes.length }
}

/** Whether a token stands at an index. */
export function isAt({ view, bytes }: Cursor, at: number, { words, length }: Token): boolean {
  const last = words.length - 1
  if (at + length > bytes.length) return false
  for (let index = 0; index < last; index++) if (view.getInt32(at + index * 4, true) !== words[index]) return false
  return view.getInt32(at + length - 4, true) === words[last]
}

/** Moves behind a token, if it comes next. */
export function take(cursor: Cursor, token: Token): boolean {
  if (!isAt(cursor, cursor.at, token)) return false
  cursor.at += token.length
  return true
}

/** Moves behind white space and then one byte, if it comes next. */
export function takeByte(cursor: Cursor, byte: number): boolean {
  if (peek(cursor) !== byte) return false
  cursor.at++
  return true
}

/** Moves behind white space. Answers the byte that comes next, 0 at the end. */
export function peek(cursor: Cursor): number {
  const { bytes } = cursor
  let byte = bytes[cursor.at] ?? 0
  while (byte <= space && (byte === space || byte === lineFeed || byte === carriageReturn || byte === tab)) {
    byte = bytes[++cursor.at] ?? 0
  }
  return byte
}
