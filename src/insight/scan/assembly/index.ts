/**
 * Reads a payload of JSON into cells, by nodes that say what it has to look like. Both are in memory that the program
 * fills and reads: see `layout.ts`. Compiled to WebAssembly, which is as fast from its first call on, in every thread.
 */
import { Byte } from './bytes'
import { here, moveTo, peek } from './cursor'
import { Address } from './layout'
import { readPayload } from './values'

export { setPages } from './values'

/**
 * Returns the address after the line that begins at `start`, if the line holds a payload, by its node and the node of
 * its page; 0 if it does not, or if that is in doubt. `end` is the address after the last line.
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
