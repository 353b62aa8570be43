import { lowerE, lowerN, minus, nine, point, upperE, zero } from './ascii.js'
import type { Cursor, Read } from './cursor.js'
import { readNull } from './scalars.js'

/** Reads a number between two others, or null where that will do; `isWhole` asks for an integer. */
export function createNumberRead(
  minimum: number | null,
  maximum: number | null,
  isWhole: boolean,
  orNull: boolean,
): Read {
  const least = minimum ?? Number.NEGATIVE_INFINITY
  const most = maximum ?? Number.POSITIVE_INFINITY
  return (cursor) => {
    if (orNull && cursor.bytes[cursor.at] === lowerN) return readNull(cursor)
    const value = readNumber(cursor)
    return value !== undefined && value >= least && value <= most && (!isWhole || value % 1 === 0) ? value : undefined
  }
}

/** Reads a number without an exponent. */
export function readNumber(cursor: Cursor): number | undefined {
  const { bytes } = cursor
  const start = cursor.at
  const isNegative = bytes[start] === minus
  const first = isNegative ? start + 1 : start
  let at = first
  let byte = bytes[at] ?? 0
  let digits = 0
  while (byte >= zero && byte <= nine) {
    digits = digits * 10 + byte - zero
    byte = bytes[++at] ?? 0
  }
  const whole = at - first
  if (whole === 0 || (whole > 1 && bytes[first] === zero)) return undefined
  let decimals = 0
  if (byte === point) {
    const afterPoint = ++at
    byte = bytes[at] ?? 0
    while (byte >= zero && byte <= nine) {
      digits = digits * 10 + byte - zero
      byte = bytes[++at] ?? 0
    }
    decimals = at - afterPoint
    if (decimals === 0) return undefined
  }
  if (byte === lowerE || byte === upperE) return undefined
  cursor.at = at
  // Both are exact up to here, so that the quotient is the number nearest to what is written.
  if (whole + decimals <= exactDigits) {
    const value = decimals === 0 ? digits : digits / (powersOfTen[decimals] ?? 1)
    return isNegative ? -value : value
  }
  const value = Number(bytes.toString('latin1', start, at))
  return Number.isFinite(value) ? value : undefined
}

const exactDigits = 15
const powersOfTen = Array.from({ length: exactDigits + 1 }, (_, power) => 10 ** power)
