import { readAny } from './any.js'
import { closeBrace, colon, comma, openBrace } from './ascii.js'
import { type Cursor, createToken, peek, type Read, type Token, take, takeByte } from './cursor.js'
import { readText } from './text.js'

/** A member that an object may have. */
export interface Member {
  readonly name: string
  /** The name in its quotes. */
  readonly token: Token
  /** The name as it comes first in an object that is written without white space, and after another member. */
  readonly first: Token
  readonly next: Token
  /** A bit that stands for the member among those of its object. */
  readonly bit: number
  readonly read: Read
}

/** The members that an object may have, in the order in which most callers send them, and the bits of the required ones. */
export interface MemberList {
  readonly list: readonly Member[]
  readonly required: number
}

/** Throws a RangeError for more members than there are bits. */
export function createMemberList(reads: Readonly<Record<string, Read>>, required: readonly string[]): MemberList {
  const names = Object.keys(reads)
  if (names.length >= neverSeen) throw new RangeError(`An object has more than ${neverSeen} members.`)
  const bitOf = (name: string) => 1 << (names.includes(name) ? names.indexOf(name) : neverSeen)
  return {
    list: Object.entries(reads).map(([name, read]) => ({
      name,
      token: createToken(`"${name}"`),
      first: createToken(`{"${name}":`),
      next: createToken(`,"${name}":`),
      bit: bitOf(name),
      read,
    })),
    required: required.reduce((bits, name) => bits | bitOf(name), 0),
  }
}

/** The bit of a required member that is not in the list: an object that needs it is never whole. */
const neverSeen = 31

/**
 * Reads an object that has all required members, each known one once. `choose` may answer, from the members that were read
 * so far, a longer list that goes on where the first one ends; until it does, members that are not known are in doubt.
 */
export function createObjectRead(
  first: MemberList,
  choose?: (object: Readonly<Record<string, unknown>>) => MemberList | undefined,
): Read {
  return (cursor) => {
    const object: Record<string, unknown> = {}
    let { list, required } = first
    let seen = 0
    let index = enterObject(cursor, list)
    for (;;) {
      while (index >= 0) {
        const member = list[index]
        const value = member === undefined || (seen & member.bit) !== 0 ? undefined : member.read(cursor)
        if (member === undefined || value === undefined) return undefined
        object[member.name] = value
        seen |= member.bit
        if (choose !== undefined && list === first.list) ({ list, required } = choose(object) ?? first)
        index = nextMember(cursor, list, index)
      }
      if (index === closed) return (seen & required) === required ? object : undefined
      const mayBeUnknown = index === unknown && (choose === undefined || list !== first.list)
      if (!mayBeUnknown || !readUnknown(cursor, list, object)) return undefined
      index = nextMember(cursor, list, list.length)
    }
  }
}

/** What comes instead of the index of a member: the end of the object. */
export const closed = -1
/** A member that is not in the list; the cursor stands at its name. */
const unknown = -2
/** Neither a member or element nor the end. */
export const broken = -3

/** Reads a member that is not in the list into an object, unless it is there, or is in the list under another writing. */
function readUnknown(cursor: Cursor, list: readonly Member[], object: Record<string, unknown>): boolean {
  const name = readText(cursor)
  if (name === undefined || name === '__proto__' || Object.hasOwn(object, name)) return false
  if (list.some((member) => member.name === name) || !takeByte(cursor, colon)) return false
  peek(cursor)
  const value = readAny(cursor)
  object[name] = value
  cursor.hasUnknown = true
  return value !== undefined
}

/** Moves to the value of the first member of an object, and answers which one it is. */
export function enterObject(cursor: Cursor, list: readonly Member[]): number {
  const likely = list[0]
  if (likely !== undefined && take(cursor, likely.first)) {
    peek(cursor)
    return 0
  }
  if (!takeByte(cursor, openBrace)) return broken
  return takeByte(cursor, closeBrace) ? closed : findMember(cursor, list, 0)
}

/** Moves to the value of the member after the one at `index`, which was read, and answers which one it is. */
export function nextMember(cursor: Cursor, list: readonly Member[], index: number): number {
  const likely = list[index + 1]
  if (likely !== undefined && take(cursor, likely.next)) {
    peek(cursor)
    return index + 1
  }
  if (takeByte(cursor, comma)) return findMember(cursor, list, index + 1)
  return takeByte(cursor, closeBrace) ? closed : broken
}

/** Looks for a member from an index on: most callers send members in one order. */
function findMember(cursor: Cursor, list: readonly Member[], from: number): number {
  peek(cursor)
  for (let count = 0, index = from; count < list.length; count++, index++) {
    if (index >= list.length) index = 0
    const member = list[index]
    if (member === undefined || !take(cursor, member.token)) continue
    if (!takeByte(cursor, colon)) return broken
    peek(cursor)
    return index
  }
  return unknown
}
