import { Byte } from './bytes'
import { here, moveTo, nextByte } from './cursor'
import { skipText } from './text'

/** Moves past any value: finds its end on the line, and leaves the rest to a parser. */
export function skipAny(): bool {
  const first: i32 = nextByte()
  if (first === Byte.Quote) return skipText()
  return isOpening(first) ? skipNested() : skipScalar()
}

function skipScalar(): bool {
  const start = here()
  let at = start
  for (;;) {
    const byte: i32 = load<u8>(at)
    if (byte === Byte.Comma || isClosing(byte) || byte <= Byte.Space) break
    at++
  }
  moveTo(at)
  return at > start
}

function skipNested(): bool {
  let depth = 0
  for (;;) {
    const byte: i32 = nextByte()
    if (byte === Byte.Quote) {
      if (!skipText()) return false
      continue
    }
    if (byte === Byte.LineFeed || byte === 0) return false
    moveTo(here() + 1)
    if (isOpening(byte)) depth++
    else if (isClosing(byte) && --depth === 0) return true
  }
  return false
}

function isOpening(byte: i32): bool {
  return byte === Byte.OpenBrace || byte === Byte.OpenBracket
}

function isClosing(byte: i32): bool {
  return byte === Byte.CloseBrace || byte === Byte.CloseBracket
}
