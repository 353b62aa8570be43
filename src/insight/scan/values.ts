import { isJsonObject, type JsonObject } from '../json-object.js'
import type { Columns } from '../series.js'
import { Address, CellTag, Size } from './assembly/layout.js'
import type { ScanMemory } from './memory.js'
import type { Part } from './part.js'

/** A payload, made for its caller. */
export interface MadePayload {
  /**
   * An object as `JSON.parse` would make it, with two differences: its daily arrays are missing where `columns` has them,
   * and members that were not sent may be there as `undefined`. An object with unknown members has neither difference.
   */
  readonly payload: JsonObject
  /** The daily arrays, by their JSON Pointers. */
  readonly columns: ReadonlyMap<string, Columns>
  /** True if an object has a member that it is not known to have. */
  readonly hasOthers: boolean
}

/**
 * Makes a function that reads a payload from the cells of a scan; it returns `undefined` if the payload is in doubt.
 * `kept` are the texts that the scanner keeps.
 */
export function createMakePayload(
  { bytes, integers, floats }: ScanMemory,
  kept: readonly string[],
): (payload: Part) => MadePayload | undefined {
  let isInDoubt = false
  let columns: Map<string, Columns> = new Map()
  /** The objects of a payload by their cells, where some have members that they are not known to have. */
  let objects: Map<number, { readonly part: Part; readonly object: Record<string, unknown> }> | undefined

  const tagAt = (cell: number) => integers[(Address.Cells + cell * Size.Cell) >> 2]
  const numberAt = (cell: number) => floats[(Address.Cells + cell * Size.Cell + 8) >> 3] ?? 0
  const firstAt = (cell: number) => integers[(Address.Cells + cell * Size.Cell + 8) >> 2] ?? 0
  const secondAt = (cell: number) => integers[(Address.Cells + cell * Size.Cell + 12) >> 2] ?? 0

  const makeObject = (part: Part, row: number): JsonObject => {
    if (objects !== undefined) return makeExact(part, row, objects)
    const object: Record<string, unknown> = { ...part.template }
    for (let index = 0; index < part.members.length; index++) {
      const member = part.members[index]
      if (member !== undefined) object[member.name] = makeValue(member, row)
    }
    return object
  }

  /** An object that has only what was sent, and is known by its cell. */
  const makeExact = (part: Part, row: number, made: NonNullable<typeof objects>): JsonObject => {
    const values = part.members.map((member) => [member.name, makeValue(member, row)] as const)
    const object = Object.fromEntries(values.filter(([, value]) => value !== undefined))
    made.set(part.cell + row, { part, object })
    return object
  }

  /** Returns `undefined` where nothing was read. `row` is the index of the element that the value is in. */
  const makeValue = (part: Part, row: number): unknown => {
    const cell = part.cell + row
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
        return makeObject(part, row)
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

  const makeArray = ({ element, path }: Part, length: number): unknown[] | undefined => {
    if (element === undefined) return undefined
    const { members, numberCells } = element
    if (numberCells.length > 0) {
      const dates = members[0] === undefined ? noDates : makeDates(members[0], length)
      columns.set(path, { length, values: makeColumns(numberCells, length), dates })
      // Objects of days cost more than all else, and rules read the columns.
      if (objects === undefined && length > 0) return undefined
    }
    return Array.from({ length }, (_, row) => makeValue(element, row))
  }

  const makeColumns = (numberCells: readonly number[], length: number): Columns['values'] => {
    const values: (readonly (number | null)[])[] = []
    for (let index = 0; index < numberCells.length; index++) values.push(makeColumn(numberCells[index] ?? 0, length))
    return values
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
      const date = makeValue(part, index)
      if (typeof date === 'string') dates[index] = date
    }
    return dates
  }

  /** Adds the members that their objects are not known to have. */
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

  return (part) => {
    const others = integers[Address.OtherCount >> 2] ?? 0
    isInDoubt = false
    columns = new Map()
    objects = others > 0 ? new Map() : undefined
    const payload = makeObject(part, 0)
    if (others > 0) addOthers(others)
    return isInDoubt ? undefined : { payload, columns, hasOthers: others > 0 }
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
