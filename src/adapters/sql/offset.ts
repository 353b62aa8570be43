/** Returns the number of rows before a page; `page` counts from 1. Capped at the largest safe integer. */
export function offsetOf(page: number, pageSize: number): number {
  return Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)
}
