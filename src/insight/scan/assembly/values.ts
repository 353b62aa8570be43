import { Byte, Literal } from './bytes'
import { skipAny } from './any'
import { putIntegers, putTag } from './cells'
import { here, moveTo, nextByte, peek, takeByte, takeToken, takeWord } from './cursor'
import { Address, CellTag, Count, NodeKind, Size } from './layout'
import { closed, enterObject, nextMember, unknown } from './members'
import { readNumber } from './number'
import { readText, skipText } from './text'

let pageList: i32 = 0
let metricCell: i32 = 0
let windowCell: i32 = 0
let windows: i32 = 0

/**
 * Sets the address of the list of the pages' nodes (for each choice of a metric those of all windows), the cells of the
 * members that choose a page, and the number of windows.
 */
export function setPages(list: i32, metric: i32, window: i32, count: i32): void {
  pageList = list
  metricCell = metric
  windowCell = window
  windows = count
}

/** Reads a payload. */
export function readPayload(node: i32, cell: i32): bool {
  return readObject(node, cell, 0, true)
}

/**
 * Reads the value at the position of the scan. `shift` moves the cells of its members: an element has those of its row.
 */
function readValue(node: i32, cell: i32, shift: i32): bool {
  const kind = load<i32>(node)
  if (nextByte() === Byte.LowerN && kind !== NodeKind.Any) {
    putTag(cell, CellTag.Null)
    if (kind === NodeKind.Object) clear(node + 16, 0, load<i32>(node, 8), shift)
    return load<i32>(node, 4) !== 0 && takeWord(Literal.Null)
  }
  switch (kind) {
    case NodeKind.Number:
      return readNumber(node, cell)
    case NodeKind.Text:
      return readText(cell)
    case NodeKind.Choice:
      return readChoice(node, cell)
    case NodeKind.Boolean:
      return readBoolean(cell)
    case NodeKind.Object:
      return readObject(node, cell, shift, false)
    case NodeKind.Array:
      return readArray(node, cell)
    default:
      return readAny(cell)
  }
}

function readBoolean(cell: i32): bool {
  const isTrue = takeWord(Literal.True)
  putTag(cell, isTrue ? CellTag.True : CellTag.False)
  if (isTrue) return true
  if (nextByte() !== Byte.LowerF) return false
  moveTo(here() + 1)
  return takeWord(Literal.Alse)
}

function readChoice(node: i32, cell: i32): bool {
  const count = load<i32>(node, 8)
  let token = node + 16
  for (let index = 0; index < count; index++, token += Size.Token) {
    if (!takeToken(load<i32>(token), load<i32>(token, 4))) continue
    putIntegers(cell, CellTag.Choice, index, 0)
    return true
  }
  return false
}

function readAny(cell: i32): bool {
  const start = here()
  if (!skipAny()) return false
  putIntegers(cell, CellTag.Json, start, here())
  return true
}

/** Reads an array, each element into the cell after that of the one before. */
function readArray(node: i32, cell: i32): bool {
  const element = load<i32>(node, 8)
  const first = load<i32>(node, 12)
  const most = load<i32>(node, 16)
  let length = 0
  if (!takeByte(Byte.OpenBracket)) return false
  if (!takeByte(Byte.CloseBracket)) {
    do {
      peek()
      const shift = length * Size.Cell
      if (length === most || !readValue(element, first + shift, shift)) return false
      length++
    } while (takeByte(Byte.Comma))
    if (!takeByte(Byte.CloseBracket)) return false
  }
  putIntegers(cell, CellTag.Array, length, 0)
  return true
}

/** Reads an object that has all required members, each known one once. */
function readObject(node: i32, cell: i32, shift: i32, isPayload: bool): bool {
  let count = load<i32>(node, 8)
  let required = load<i32>(node, 12)
  let members = node + 16
  let isChosen = !isPayload
  clear(members, 0, count, shift)
  let seen = 0
  let index = enterObject(members, count)
  for (;;) {
    while (index >= 0) {
      const bit = 1 << index
      const member = members + index * Size.Member
      if ((seen & bit) !== 0 || !readValue(load<i32>(member, 8), load<i32>(member, 12) + shift, shift)) return false
      seen |= bit
      if (!isChosen && choosePage()) {
        isChosen = true
        const page = load<i32>(Address.Page)
        const known = count
        count = load<i32>(page, 8)
        required = load<i32>(page, 12)
        members = page + 16
        clear(members, known, count, shift)
      }
      index = nextMember(members, count, index)
    }
    if (index !== unknown) break
    // Before the page is chosen it may be one of that.
    if (!isChosen || !readOther(cell)) return false
    index = nextMember(members, count, count)
  }
  putTag(cell, CellTag.Object)
  return index === closed && (seen & required) === required
}

@inline
function clear(members: i32, from: i32, to: i32, shift: i32): void {
  for (let index = from; index < to; index++)
    putTag(load<i32>(members + index * Size.Member, 12) + shift, CellTag.Absent)
}

/** Chooses the page; false if it is not known yet. */
function choosePage(): bool {
  if (load<i32>(metricCell) !== CellTag.Choice || load<i32>(windowCell) !== CellTag.Choice) return false
  const choice = load<i32>(metricCell, 8) * windows + load<i32>(windowCell, 8)
  store<i32>(Address.Page, load<i32>(pageList + choice * 4))
  return true
}

/** Notes a member that is not in the list of its object. */
function readOther(cell: i32): bool {
  const count = load<i32>(Address.OtherCount)
  if (count === Count.Others || nextByte() !== Byte.Quote) return false
  const start = here()
  if (!skipText() || !takeByte(Byte.Colon)) return false
  peek()
  if (!skipAny()) return false
  const entry = Address.Others + count * Size.Entry
  store<i32>(entry, cell)
  store<i32>(entry, start, 4)
  store<i32>(entry, here(), 8)
  store<i32>(Address.OtherCount, count + 1)
  return true
}
