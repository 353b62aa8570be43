/** How many rows stand before a page; `page` counts from 1. Beyond what can be counted to there is nothing anyway. */
export function offsetOf(page: number, pageSize: number): number {
  return Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)
}
