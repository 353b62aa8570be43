/** Fills cells: a tag, and 8 bytes further on a value. */

@inline
export function putTag(cell: i32, tag: i32): void {
  store<i32>(cell, tag)
}

@inline
export function putNumber(cell: i32, tag: i32, value: f64): void {
  store<i32>(cell, tag)
  store<f64>(cell, value, 8)
}

@inline
export function putIntegers(cell: i32, tag: i32, first: i32, second: i32): void {
  store<i32>(cell, tag)
  store<i32>(cell, first, 8)
  store<i32>(cell, second, 12)
}
