/**
 * Reads a payload of JSON into cells, by nodes that say what it has to look like. Both are in memory that the program fills
 * and reads: see `layout.ts`. Compiled to WebAssembly, which is as fast from its first call on, in every thread.
 */
import { Byte } from './bytes'
import { here, moveTo, peek } from './cursor'
import { Address } from './layout'
import { readPayload } from './values'

export { setPages } from './values'

/**
 * The address behind the line that begins at `start`, if there is a payload on it, by its node and that of its page; 0 if
 * there is not, or if that is in doubt. `end` is the address behind all lines.
 */
export function scan(node: i32, start: i32, end: i32): i32 {
  moveTo(start)
  store<i32>(Address.NewTextCount, 0)
  store<i32>(Address.OtherCount, 0)
  store<i32>(Address.Page, 0)
  peek()
  if (!readPayload(node, Address.Cells)) return 0
  return peek() === Byte.LineFeed || here() === end ? here() : 0
}
