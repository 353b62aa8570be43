/**
 * Reads a payload of JSON into cells, by nodes that say what it has to look like. Both are in memory that the program fills
 * and reads: see `layout.ts`. Compiled to WebAssembly, which is as fast from its first call on, in every thread.
 */
import { begin, endOfPayload, here, peek } from './cursor'
import { Address } from './layout'
import { readPayload } from './values'

export { setPages } from './values'

/** Whether what stands between two addresses is a payload, by its node and that of its page. */
export function scan(node: i32, start: i32, end: i32): bool {
  begin(start, end)
  store<i32>(Address.NewTextCount, 0)
  store<i32>(Address.OtherCount, 0)
  store<i32>(Address.Page, 0)
  peek()
  return readPayload(node, Address.Cells) && isOver()
}

/** Whether nothing but white space comes up to the end; white space is skipped beyond it, too. */
function isOver(): bool {
  if (here() >= endOfPayload()) return here() === endOfPayload()
  peek()
  return here() >= endOfPayload()
}
