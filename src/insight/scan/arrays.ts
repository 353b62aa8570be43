import { type Columns, columnsMark, maxElements } from '../series.js'
import { closeBracket, comma, lowerN, openBracket } from './ascii.js'
import { type Cursor, peek, type Read, takeByte } from './cursor.js'
import { broken, closed, enterObject, type MemberList, nextMember } from './objects.js'
import { readNull } from './scalars.js'
import { readText } from './text.js'

/** Reads an array whose elements are read alike. */
export function createListRead(read: Read): Read {
  return (cursor) => {
    const list: unknown[] = []
    let state = enterArray(cursor)
    while (state === open) {
      const value = read(cursor)
      if (value === undefined) return undefined
      list.push(value)
      state = nextElement(cursor)
    }
    return state === closed ? list : undefined
  }
}

/** Reads an array of numbers and null as the one column that it is. */
export function createNumbersRead(read: Read): Read {
  return (cursor): Columns | undefined => {
    const column: (number | null)[] = []
    let state = enterArray(cursor)
    while (state === open && column.length < maxElements) {
      const value = read(cursor) as number | null | undefined
      if (value === undefined) return undefined
      // With null first V8 keeps all columns in the same way, and compiles what reads them for no other.
      column.push(null)
      column[column.length - 1] = value
      state = nextElement(cursor)
    }
    return state === closed ? { mark: columnsMark, length: column.length, values: [column], dates: noDates } : undefined
  }
}

/** Reads an array of objects and null as columns: the dates, which are their first members, and one for each other member. */
export function createRowsRead({ list, required }: MemberList): Read {
  return (cursor): Columns | undefined => {
    const columns: unknown[][] = []
    while (columns.length < list.length) columns.push([])
    let length = 0
    let state = enterArray(cursor)
    while (state === open && length < maxElements) {
      for (const column of columns) column.push(null)
      if (cursor.bytes[cursor.at] === lowerN) {
        if (readNull(cursor) === undefined) return undefined
      } else {
        let seen = 0
        let index = enterObject(cursor, list)
        while (index >= 0) {
          const member = list[index]
          const column = columns[index]
          if (member === undefined || column === undefined || (seen & member.bit) !== 0) return undefined
          // Two calls: V8 makes them part of this function, as each only ever calls one other.
          const value = index === 0 ? readText(cursor) : member.read(cursor)
          if (value === undefined) return undefined
          column[length] = value
          seen |= member.bit
          index = nextMember(cursor, list, index)
        }
        if (index !== closed || (seen & required) !== required) return undefined
      }
      length++
      state = nextElement(cursor)
    }
    const [dates, ...values] = columns as [(string | null)[], ...(number | null)[][]]
    return state === closed ? { mark: columnsMark, length, values, dates } : undefined
  }
}

const noDates: readonly null[] = []

/** What comes in an array, if it is not `closed` and not `broken`: an element. */
const open = 0

/** Moves to the first element of an array. */
function enterArray(cursor: Cursor): number {
  if (!takeByte(cursor, openBracket)) return broken
  if (takeByte(cursor, closeBracket)) return closed
  peek(cursor)
  return open
}

/** Moves to the element after the one that was read. */
function nextElement(cursor: Cursor): number {
  if (takeByte(cursor, comma)) {
    peek(cursor)
    return open
  }
  return takeByte(cursor, closeBracket) ? closed : broken
}
