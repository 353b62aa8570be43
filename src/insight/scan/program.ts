import { type MetricWindow, metricWindowOf } from '../metric-window.js'
import { maxElements } from '../series.js'
import type { Metric, ViewWindow } from '../types.js'
import { Address, Count, NodeKind, Size } from './assembly/layout.js'
import type { ScanMemory } from './memory.js'
import { createPart, type Part } from './part.js'
import type { PayloadShape, ShapeOf, ShapeTable } from './shape.js'

/** The program by which the scanner reads payloads, once it is in memory. */
export interface Program {
  /** Address of the node of what all payloads have. */
  readonly envelope: number
  /** Address of the list of the pages' nodes: for each choice of a metric those of all windows. */
  readonly pageList: number
  /** Payloads, by the addresses of their pages' nodes. */
  readonly pages: ReadonlyMap<number, Part>
  /** Addresses of the cells of the members that choose a page. */
  readonly metricCell: number
  readonly windowCell: number
  readonly windows: number
}

/** Writes the nodes of all shapes into memory. Throws a RangeError where it does not hold them. */
export function writeProgram(memory: ScanMemory, { envelope, pages, shapes }: ShapeTable): Program {
  const writer = createWriter(memory, shapes)
  const { node, part } = writer.writePayload(envelope)
  const [metric, window] = ['metric', 'viewWindow'].map((name) => part.members.find((member) => member.name === name))
  if (metric === undefined || window === undefined)
    throw new TypeError('The envelope does not say what chooses a page.')
  const written = new Map<MetricWindow, WrittenPart>()
  const list = (metric.choices as readonly Metric[]).flatMap((metricName) =>
    (window.choices as readonly ViewWindow[]).map((windowName) => {
      const page = metricWindowOf(metricName, windowName)
      const known = written.get(page) ?? writer.writePayload(pages[page])
      written.set(page, known)
      return known.node
    }),
  )
  return {
    envelope: node,
    pageList: writer.writeList(list),
    pages: new Map([...written.values()].map((page) => [page.node, page.part])),
    metricCell: toAddress(metric.cell),
    windowCell: toAddress(window.cell),
    windows: window.choices.length,
  }
}

interface WrittenPart {
  readonly node: number
  readonly part: Part
}

function createWriter({ bytes, integers, floats }: ScanMemory, shapes: readonly PayloadShape[]) {
  let nextAddress = Address.Nodes
  let nextCell = 0
  const tokens = new Map<string, number>()

  /** Room for some bytes, where 64-bit numbers may begin. */
  const reserve = (size: number): number => {
    const address = nextAddress
    nextAddress += Math.ceil(size / 8) * 8
    if (nextAddress > Address.NodesEnd) throw new RangeError('The shapes of payloads do not fit into the memory.')
    return address
  }
  const reserveCells = (count: number): number => {
    const cell = nextCell
    nextCell += count
    if (nextCell > Count.Cells) throw new RangeError('A payload has more values than there are cells.')
    return cell
  }
  const writeList = (values: readonly number[]): number => {
    const address = reserve(values.length * 4)
    integers.set(values, address / 4)
    return address
  }
  const writeToken = (text: string): readonly [address: number, length: number] => {
    const address = tokens.get(text) ?? reserve(text.length)
    if (!tokens.has(text)) bytes.write(text, address, 'latin1')
    tokens.set(text, address)
    return [address, text.length]
  }
  const shapeAt = (index: number): PayloadShape => {
    const shape = shapes[index]
    if (shape === undefined) throw new RangeError(`There is no shape ${index}.`)
    return shape
  }

  /** A payload has the first cells, for any page. */
  const writePayload = (index: number): WrittenPart => {
    nextCell = 0
    return writePart('', index, reserveCells(1), 1)
  }

  /** `rows` is how many cells each of its values has: one for each element that it may be in. */
  const writePart = (path: string, index: number, cell: number, rows: number): WrittenPart => {
    const shape = shapeAt(index)
    const part = createPart(path, shape, cell)
    const orNull = Number(shape.orNull)
    switch (shape.kind) {
      case 'any':
        return { node: writeList([NodeKind.Any, orNull]), part }
      case 'boolean':
        return { node: writeList([NodeKind.Boolean, orNull]), part }
      case 'text':
        return { node: writeList([NodeKind.Text, orNull]), part }
      case 'number':
        return { node: writeNumber(shape), part }
      case 'choice': {
        requireLength(shape.values)
        const choices = shape.values.flatMap((value) => writeToken(`"${value}"`))
        return { node: writeList([NodeKind.Choice, orNull, shape.values.length, 0, ...choices]), part }
      }
      case 'array': {
        const first = reserveCells(maxElements)
        const { node, part: element } = writePart(path, shape.items, first, maxElements)
        requireElement(shapeAt(shape.items))
        const head = [NodeKind.Array, orNull, node, toAddress(first), maxElements]
        return { node: writeList(head), part: createPart(path, shape, cell, { element }) }
      }
      case 'object': {
        const { node, members } = writeObject(path, shape, rows)
        return { node, part: createPart(path, shape, cell, { members }) }
      }
    }
  }

  /** An element is a number, or an object of a date and numbers, or holds nothing else. */
  const requireElement = (shape: PayloadShape): void => {
    if (shape.kind === 'array') throw new TypeError('An array has arrays as elements.')
    if (shape.kind !== 'object') return
    const [date, ...numbers] = Object.values(shape.members).map((part) => shapeAt(part).kind)
    if (date !== 'text' || numbers.length === 0 || numbers.some((kind) => kind !== 'number')) {
      throw new TypeError('An array has elements that are not days.')
    }
  }

  const writeNumber = ({ orNull, isWhole, minimum, maximum }: ShapeOf<'number'>): number => {
    const node = writeList([NodeKind.Number, Number(orNull), Number(isWhole), 0, 0, 0, 0, 0])
    floats[node / 8 + 2] = minimum ?? Number.NEGATIVE_INFINITY
    floats[node / 8 + 3] = maximum ?? Number.POSITIVE_INFINITY
    return node
  }

  const writeObject = (path: string, shape: ShapeOf<'object'>, rows: number) => {
    const names = Object.keys(shape.members)
    if (names.length > neverSeen) throw new RangeError(`An object has more than ${neverSeen} members.`)
    requireLength(names)
    const written = Object.entries(shape.members).map(([name, index]) => {
      const cell = reserveCells(rows)
      return { name, cell, ...writePart(`${path}/${name}`, index, cell, rows) }
    })
    const bitOf = (name: string) => 1 << (names.includes(name) ? names.indexOf(name) : neverSeen)
    const required = shape.required.reduce((bits, name) => bits | bitOf(name), 0)
    const head = [NodeKind.Object, Number(shape.orNull), names.length, required]
    const list = written.flatMap(({ name, cell, node }) => [...writeToken(`,"${name}":`), node, toAddress(cell)])
    return { node: writeList([...head, ...list]), members: written.map(({ part }) => part) }
  }
  return { writePayload, writeList }
}

/** In their quotes they are compared four bytes at a time, or eight. */
function requireLength(texts: readonly string[]): void {
  const short = texts.find((text) => text.length < 2)
  if (short !== undefined) throw new RangeError(`The name or choice "${short}" is too short.`)
}

/** The bit of a required member that is not in the list: an object that needs it is never whole. */
const neverSeen = 31

const toAddress = (cell: number) => Address.Cells + cell * Size.Cell
