import { isJsonObject, type JsonObject } from '../json-object.js'
import { type Columns, columnsMark } from '../series.js'
import { Address, CellTag, Size } from './assembly/layout.js'
import type { ScanMemory } from './memory.js'
import type { Part } from './part.js'

/**
 * Makes a function that reads a payload from the cells of a scan: `undefined` if it is in doubt, or else an object as
 * `JSON.parse` would make it, with two differences. Columns replace its daily arrays; and its objects are those of the
 * payload before, with other values: members that are missing now may be there as `undefined`.
 * `kept` are the texts that the scanner keeps.
 */
export function createMakePayload(
  { bytes, integers, floats }: ScanMemory,
  kept: readonly string[],
): (payload: Part) => JsonObject | undefined {
  let isInDoubt = false
  /** The objects of a payload by their cells, where some have members that they are not known to have. */
  let objects: Map<number, { readonly part: Part; readonly object: Record<string, unknown> }> | undefined

  const tagAt = (cell: number) => integers[(Address.Cells + cell * Size.Cell) >> 2]
  const numberAt = (cell: number) => floats[(Address.Cells + cell * Size.Cell + 8) >> 3] ?? 0
  const firstAt = (cell: number) => integers[(Address.Cells + cell * Size.Cell + 8) >> 2] ?? 0
  const secondAt = (cell: number) => integers[(Address.Cells + cell * Size.Cell + 12) >> 2] ?? 0

  const makeObject = (part: Part): JsonObject => {
    const { members, object } = part
    if (objects !== undefined) return makeSparse(part, objects)
    for (let index = 0; index < members.length; index++) {
      const member = members[index]
      if (member !== undefined) object[member.name] = makeValue(member, member.cell)
    }
    return object
  }

  /** An object of its own that has only what was read, and is known by its cell. */
  const makeSparse = (part: Part, made: NonNullable<typeof objects>): JsonObject => {
    const values = part.members.map((member) => [member.name, makeValue(member, member.cell)] as const)
    const object = Object.fromEntries(values.filter(([, value]) => value !== undefined))
    made.set(part.cell, { part, object })
    return object
  }

  /** `undefined` where nothing was read. */
  const makeValue = (part: Part, cell: number): unknown => {
    switch (tagAt(cell)) {
      case CellTag.Null:
        return null
      case CellTag.True:
        return true
      case CellTag.False:
        return false
      case CellTag.Number:
        return numberAt(cell)
      case CellTag.Choice:
        return part.choices[firstAt(cell)]
      case CellTag.Kept:
        return accept(part, kept[firstAt(cell)] ?? '')
      case CellTag.Text:
        return accept(part, bytes.toString('latin1', firstAt(cell), secondAt(cell)))
      case CellTag.Json:
        return makeJson(part, firstAt(cell), secondAt(cell))
      case CellTag.Object:
        return makeObject(part)
      case CellTag.Array:
        return makeArray(part, firstAt(cell))
      default:
        return undefined
    }
  }

  const accept = ({ accepts }: Part, text: string): string => {
    if (accepts !== undefined && !accepts(text)) isInDoubt = true
    return text
  }

  const makeJson = (part: Part, start: number, end: number): unknown => {
    const value = parse(bytes.toString('utf8', start, end))
    if (value === undefined) isInDoubt = true
    return typeof value === 'string' ? accept(part, value) : value
  }

  const makeArray = ({ element }: Part, length: number): Columns | unknown[] | undefined => {
    if (element === undefined) return undefined
    const { cell, members, numberCells } = element
    const date = members[0]
    if (numberCells.length === 0) return Array.from({ length }, (_, index) => makeValue(element, cell + index))
    const values: (readonly (number | null)[])[] = []
    for (let index = 0; index < numberCells.length; index++) values.push(makeColumn(numberCells[index] ?? 0, length))
    return { mark: columnsMark, length, values, dates: date === undefined ? noDates : makeDates(date, length) }
  }

  const makeColumn = (cell: number, length: number): readonly (number | null)[] => {
    const column: (number | null)[] = copyNulls(length)
    for (let index = 0; index < length; index++) {
      if (tagAt(cell + index) === CellTag.Number) column[index] = numberAt(cell + index)
    }
    return column
  }

  const makeDates = (part: Part, length: number): readonly (string | null)[] => {
    const dates: (string | null)[] = copyNulls(length)
    for (let index = 0; index < length; index++) {
      const date = makeValue(part, part.cell + index)
      if (typeof date === 'string') dates[index] = date
    }
    return dates
  }

  /**
   * Adds the members that their objects are not known to have. Those of days are in doubt: no object is made of a day.
   */
  const addOthers = (count: number): void => {
    for (let entry = Address.Others >> 2, left = count; left > 0; left--, entry += Size.Entry >> 2) {
      const cell = ((integers[entry] ?? 0) - Address.Cells) / Size.Cell
      const member = parse(`{${bytes.toString('utf8', integers[entry + 1], integers[entry + 2])}}`)
      const [name, value] = Object.entries(isJsonObject(member) ? member : {})[0] ?? []
      const { part, object } = objects?.get(cell) ?? {}
      if (name === undefined || part === undefined || object === undefined || !isOther(name, part, object)) {
        isInDoubt = true
        return
      }
      object[name] = value
    }
  }

  return (payload) => {
    const others = integers[Address.OtherCount >> 2] ?? 0
    isInDoubt = false
    objects = others > 0 ? new Map() : undefined
    const object = makeObject(payload)
    if (others > 0) addOthers(others)
    return isInDoubt ? undefined : object
  }
}

const noDates: readonly null[] = []
const nulls: (readonly null[])[] = []

/** A list of null: V8 keeps all lists that begin so in one way, and compiles what reads them for no other. */
function copyNulls(length: number): null[] {
  nulls[length] ??= new Array<null>(length).fill(null)
  return (nulls[length] ?? []).slice()
}

/** Checks whether a name is not one of the members that an object has or may have: known ones may contain escapes. */
function isOther(name: string, { members }: Part, object: JsonObject): boolean {
  return name !== '__proto__' && !Object.hasOwn(object, name) && !members.some((member) => member.name === name)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Invalid JSON: the check of the whole payload reports it.
    return undefined
  }
}
