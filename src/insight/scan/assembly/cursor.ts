/**
 * The position of a scan, and the smallest steps it takes. After the last line there are zeros, which end every read.
 */

import { Byte } from './bytes'

let at: i32 = 0

/** Address of the byte that comes next. */
@inline
export function here(): i32 {
  return at
}

@inline
export function moveTo(address: i32): void {
  at = address
}

/** The byte that comes next. */
@inline
export function nextByte(): i32 {
  return load<u8>(at)
}

/** Moves past white space on the line. Returns the byte that comes next. */
@inline
export function peek(): i32 {
  let byte: i32 = load<u8>(at)
  while (byte <= Byte.Space && (byte === Byte.Space || byte === Byte.CarriageReturn || byte === Byte.Tab)) byte = load<u8>(++at)
  return byte
}

/** Moves past white space on the line and then one byte, if it comes next. */
@inline
export function takeByte(byte: i32): bool {
  if (peek() !== byte) return false
  at++
  return true
}

/** Moves past four bytes, if they come next. */
@inline
export function takeWord(word: u32): bool {
  if (load<u32>(at) !== word) return false
  at += 4
  return true
}

/** Moves past a token of 4 bytes or more, if it comes next. Compares 8 at once, or 4; the last overlap those before. */
@inline
export function takeToken(token: i32, length: i32): bool {
  if (length < 8) {
    const last = length - 4
    if (load<u32>(at) !== load<u32>(token) || load<u32>(at + last) !== load<u32>(token + last)) return false
  } else {
    const last = length - 8
    for (let index = 0; index < last; index += 8) {
      if (load<u64>(at + index) !== load<u64>(token + index)) return false
    }
    if (load<u64>(at + last) !== load<u64>(token + last)) return false
  }
  at += length
  return true
}
