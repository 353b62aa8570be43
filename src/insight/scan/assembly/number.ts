import { Byte } from './bytes'
import { putNumber } from './cells'
import { here, moveTo } from './cursor'
import { Address, CellTag, Count } from './layout'

/** The number that the characters between two addresses are, or NaN. */
declare function toNumber(start: i32, end: i32): f64

/** Reads a number without an exponent that its node allows. */
@inline
export function readNumber(node: i32, cell: i32): bool {
  const start = here()
  let at = start
  let byte: i32 = load<u8>(at)
  const isNegative = byte === Byte.Minus
  if (isNegative) byte = load<u8>(++at)
  const first = at
  let digits: i64 = 0
  while (isDigit(byte)) {
    digits = digits * 10 + (byte - Byte.Zero)
    byte = load<u8>(++at)
  }
  const whole = at - first
  if (whole === 0 || (whole > 1 && load<u8>(first) === Byte.Zero)) return false
  let decimals = 0
  if (byte === Byte.Point) {
    const afterPoint = ++at
    byte = load<u8>(at)
    while (isDigit(byte)) {
      digits = digits * 10 + (byte - Byte.Zero)
      byte = load<u8>(++at)
    }
    decimals = at - afterPoint
    if (decimals === 0) return false
  }
  // An exponent, by a letter of either case.
  if ((byte | 0x20) === Byte.LowerE) return false
  moveTo(at)
  let value: f64
  if (whole + decimals <= Count.Digits) {
    // Both are exact up to here, so that the quotient is the number nearest to what is written.
    value = <f64>digits
    if (decimals > 0) value /= load<f64>(Address.PowersOfTen + decimals * 8)
    if (isNegative) value = -value
  } else {
    value = toNumber(start, at)
  }
  putNumber(cell, CellTag.Number, value)
  return isAllowed(node, value)
}

@inline
function isDigit(byte: i32): bool {
  return <u32>(byte - Byte.Zero) <= 9
}

/** Also refuses what is too large to be a number. */
@inline
function isAllowed(node: i32, value: f64): bool {
  if (!(value >= load<f64>(node, 16) && value <= load<f64>(node, 24)) || value - value !== 0) return false
  return load<i32>(node, 8) === 0 || trunc(value) === value
}
