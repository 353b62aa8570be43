import { Byte } from './bytes'
import { putIntegers } from './cells'
import { here, moveTo, nextByte } from './cursor'
import { Address, CellTag, Count, KeptLength, Size } from './layout'

/** Reads any text. */
@inline
export function readText(cell: i32): bool {
  if (nextByte() !== Byte.Quote) return false
  const start = here() + 1
  let end = start
  let found = findUnusual(load<u64>(end))
  while (found === 0) {
    end += 8
    found = findUnusual(load<u64>(end))
  }
  end += <i32>(ctz(found) >> 3)
  if (load<u8>(end) !== Byte.Quote) return readJsonText(cell)
  moveTo(end + 1)
  const place = keep(start, end)
  if (place >= 0) putIntegers(cell, CellTag.Kept, place, 0)
  else putIntegers(cell, CellTag.Text, start, end)
  return true
}

/** Moves past the closing quote of the text at the position of the scan, if there is one on the line. */
export function skipText(): bool {
  for (let at = here() + 1; ; at++) {
    let byte: i32 = load<u8>(at)
    if (byte === Byte.Quote) {
      moveTo(at + 1)
      return true
    }
    if (byte === Byte.Backslash) byte = load<u8>(++at)
    if (byte < Byte.Space) return false
  }
  return false
}

/** A text with an escape or a character beyond ASCII in it. */
function readJsonText(cell: i32): bool {
  const start = here()
  if (!skipText()) return false
  putIntegers(cell, CellTag.Json, start, here())
  return true
}

/**
 * Returns a number in which the lowest unusual byte has its highest bit set; 0 if no byte is unusual. Unusual bytes are
 * control characters, quotes, backslashes and bytes beyond ASCII. The bits of the bytes above the lowest may be wrong.
 */
@inline
function findUnusual(bytes: u64): u64 {
  const ones: u64 = ((<u64>0x01010101) << 32) | 0x01010101
  const quotes = bytes ^ (ones * <u64>Byte.Quote)
  const slashes = bytes ^ (ones * <u64>Byte.Backslash)
  const controls = (bytes - ones * <u64>Byte.Space) & ~bytes
  return (controls | ((quotes - ones) & ~quotes) | ((slashes - ones) & ~slashes) | bytes) & (ones * 0x80)
}

/** Returns the place where a short text is kept, from before or from now on; -1 if there is no place for it. */
@inline
function keep(start: i32, end: i32): i32 {
  const length = end - start
  if (length < KeptLength.Least || length > KeptLength.Most) return -1
  const isShort = length < 8
  const head: u64 = isShort ? load<u32>(start) : load<u64>(start)
  const tail: u64 = isShort ? load<u32>(end - 4) : load<u64>(end - 8)
  // The bytes between head and tail, where these two do not meet.
  const second: u64 = length > 16 ? load<u64>(start + 8) : 0
  const third: u64 = length > 16 ? load<u64>(end - 16) : 0
  // A factor that spreads what differs over the highest bits.
  const hash = (head ^ rotl(tail, 29) ^ rotl(second, 13) ^ rotl(third, 47)) * ((<u64>0x9e3779b9 << 32) | 0x7f4a7c15)
  let place = <i32>(hash >> 54) & (Count.Kept - 1)
  // Texts kept during this scan are still needed: a text never replaces another one, but may take the place next to it.
  for (let attempts = 0; attempts < 2; attempts++) {
    const kept = Address.Kept + place * Size.Kept
    if (load<i32>(kept) === length && isKept(kept, head, second, third, tail)) return place
    if (load<i32>(kept) === 0) {
      if (load<i32>(Address.NewTextCount) === Count.NewTexts) return -1
      store<i32>(kept, length)
      store<u64>(kept, head, 8)
      store<u64>(kept, second, 16)
      store<u64>(kept, third, 24)
      store<u64>(kept, tail, 32)
      noteNew(place, start, end)
      return place
    }
    place ^= 1
  }
  return -1
}

@inline
function isKept(kept: i32, head: u64, second: u64, third: u64, tail: u64): bool {
  if (load<u64>(kept, 8) !== head || load<u64>(kept, 32) !== tail) return false
  return load<u64>(kept, 16) === second && load<u64>(kept, 24) === third
}

function noteNew(place: i32, start: i32, end: i32): void {
  const count = load<i32>(Address.NewTextCount)
  const entry = Address.NewTexts + count * Size.Entry
  store<i32>(entry, place)
  store<i32>(entry, start, 4)
  store<i32>(entry, end, 8)
  store<i32>(Address.NewTextCount, count + 1)
}
