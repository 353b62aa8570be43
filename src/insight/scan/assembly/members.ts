import { Byte } from './bytes'
import { peek, takeByte, takeToken } from './cursor'
import { Size } from './layout'

/** The end of the object or array, returned instead of the index of a member or element. */
export const closed = -1
/** A member that is not in the list; the scan is at its name. */
export const unknown = -2
/** Neither a member or element nor the end. */
export const broken = -3

/** Moves to the value of the first member of an object, and answers which one it is. */
@inline
export function enterObject(members: i32, count: i32): i32 {
  if (!takeByte(Byte.OpenBrace)) return broken
  return takeByte(Byte.CloseBrace) ? closed : findMember(members, count, 0)
}

/** Moves to the value of the member after the one at `index`, which was read, and answers which one it is. */
@inline
export function nextMember(members: i32, count: i32, index: i32): i32 {
  const next = index + 1
  if (next < count) {
    // As it is written without white space.
    const member = members + next * Size.Member
    if (takeToken(load<i32>(member), load<i32>(member, 4))) {
      peek()
      return next
    }
  }
  if (takeByte(Byte.Comma)) return findMember(members, count, next)
  return takeByte(Byte.CloseBrace) ? closed : broken
}

/** Looks for a member from an index on: most callers send members in one order. */
function findMember(members: i32, count: i32, from: i32): i32 {
  peek()
  let index = from
  for (let looked = 0; looked < count; looked++, index++) {
    if (index >= count) index = 0
    const member = members + index * Size.Member
    // The name in its quotes, without the comma before it and the colon after it.
    if (!takeToken(load<i32>(member) + 1, load<i32>(member, 4) - 2)) continue
    if (!takeByte(Byte.Colon)) return broken
    peek()
    return index
  }
  return unknown
}
