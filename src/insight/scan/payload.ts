import { listShapes } from '../../generated/payload-shapes.js'
import { type Page, pageOf } from '../page.js'
import type { Metric, ViewWindow } from '../types.js'
import { readAny } from './any.js'
import { createListRead, createNumbersRead, createRowsRead } from './arrays.js'
import type { Read } from './cursor.js'
import { createNumberRead } from './number.js'
import { createMemberList, createObjectRead, type MemberList } from './objects.js'
import { createChoiceRead, createTextRead, orNull, readBoolean } from './scalars.js'
import type { Shape } from './shape.js'

/**
 * Makes what reads a payload whose structure is beyond doubt: an object as `JSON.parse` would make it, but for its daily
 * arrays, in whose place stand their columns. What a page may hold is made ready when it first comes.
 */
export function createPayloadRead(): Read {
  const { envelope, pages, shapes } = listShapes()
  const parts = createParts(shapes)
  const lists = new Map<Page, MemberList>()
  return createObjectRead(parts.toMembers(envelope), ({ metric, viewWindow }) => {
    if (metric === undefined || viewWindow === undefined) return undefined
    // They were read as what the envelope allows.
    const page = pageOf(metric as Metric, viewWindow as ViewWindow)
    const list = lists.get(page) ?? parts.toMembers(pages[page])
    lists.set(page, list)
    return list
  })
}

/** Makes the readers of shapes, each once. */
function createParts(shapes: readonly Shape[]) {
  const reads = new Map<number, Read>()

  const shapeAt = (index: number): Shape => {
    const shape = shapes[index]
    if (shape === undefined) throw new RangeError(`There is no shape ${index}.`)
    return shape
  }
  const toMembers = (index: number): MemberList => {
    const shape = shapeAt(index)
    if (shape.kind !== 'object') throw new TypeError(`Shape ${index} is not that of an object.`)
    const members = Object.entries(shape.members).map(([name, part]) => [name, toRead(part)] as const)
    return createMemberList(Object.fromEntries(members), shape.required)
  }
  const toRead = (index: number): Read => {
    const known = reads.get(index)
    if (known !== undefined) return known
    const read = createRead(index)
    const { kind, orNull: canBeNull } = shapeAt(index)
    // Most values are numbers that may be null: these look for it themselves, which saves a call.
    const chosen = canBeNull && kind !== 'number' ? orNull(read) : read
    reads.set(index, chosen)
    return chosen
  }
  const createRead = (index: number): Read => {
    const shape = shapeAt(index)
    switch (shape.kind) {
      case 'any':
        return readAny
      case 'boolean':
        return readBoolean
      case 'choice':
        return createChoiceRead(shape.values)
      case 'text':
        return createTextRead(shape.minLength, shape.maxLength, shape.pattern)
      case 'number':
        return createNumberRead(shape.minimum, shape.maximum, shape.isWhole, shape.orNull)
      case 'array':
        return createArrayRead(shape.items)
      case 'object':
        return createObjectRead(toMembers(index))
    }
  }
  const createArrayRead = (items: number): Read => {
    const shape = shapeAt(items)
    if (shape.kind === 'number') return createNumbersRead(toRead(items))
    if (shape.kind !== 'object') return createListRead(toRead(items))
    const [date, ...numbers] = Object.values(shape.members).map((part) => shapeAt(part).kind)
    if (date !== 'text' || numbers.some((kind) => kind !== 'number')) throw new TypeError(`Shape ${items} is no day.`)
    return createRowsRead(toMembers(items))
  }
  return { toMembers }
}
