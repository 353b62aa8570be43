import { listShapes } from '../../generated/payload-shapes.js'
import { scannerCode } from '../../generated/scanner.js'
import type { Members } from '../members.js'
import { Address } from './assembly/layout.js'
import { createScanMemory, maxInputBytes } from './memory.js'
import { writeProgram } from './program.js'
import { createTexts } from './texts.js'
import { createMakePayload } from './values.js'

/** A payload whose structure is beyond doubt. */
export interface Scanned {
  /**
   * An object as `JSON.parse` would make it, with two differences: in the place of its daily arrays stand their columns, and
   * members that are missing may be there as `undefined`. It holds until the next scan.
   */
  readonly payload: Members
  /** Whether an object has a member that it is not known to have. */
  readonly hasOthers: boolean
}

/** Reads the payload between two indexes of what was loaded; `undefined` if its structure is wrong or in doubt. */
export type Scan = (start: number, end: number) => Scanned | undefined

export interface Scanner {
  /** Takes UTF-8 text; that of before is forgotten. False if it is too long. */
  readonly load: (bytes: Uint8Array) => boolean
  readonly scan: Scan
}

/** The exports of `assembly/index.ts`; what it imports is named after the files that do. */
interface Exports {
  readonly scan: (node: number, start: number, end: number) => number
  readonly setPages: (pageList: number, metricCell: number, windowCell: number, windows: number) => void
}

/** Makes what reads payloads by a table of shapes. */
export function createScanner(shapes = listShapes()): Scanner {
  const memory = createScanMemory()
  const { bytes, integers } = memory
  const toNumber = (start: number, end: number) => Number(bytes.toString('latin1', start, end))
  const code = new WebAssembly.Module(Buffer.from(scannerCode, 'base64'))
  const instance = new WebAssembly.Instance(code, { env: { memory: memory.memory }, number: { toNumber } })
  const { scan, setPages } = instance.exports as unknown as Exports
  const { envelope, pages, pageList, metricCell, windowCell, windows } = writeProgram(memory, shapes)
  setPages(pageList, metricCell, windowCell, windows)
  const texts = createTexts(memory)
  const makePayload = createMakePayload(memory, texts.kept)
  return {
    load: (text) => {
      if (text.length > maxInputBytes) return false
      bytes.set(text, Address.Input)
      // No text and no number goes on behind it.
      bytes.fill(0, Address.Input + text.length, Address.Input + text.length + 8)
      return true
    },
    scan: (start, end) => {
      const isWhole = scan(envelope, Address.Input + start, Address.Input + end) !== 0
      texts.takeNew()
      const page = pages.get(integers[Address.Page >> 2] ?? 0)
      const payload = isWhole && page !== undefined ? makePayload(page) : undefined
      return payload === undefined ? undefined : { payload, hasOthers: (integers[Address.OtherCount >> 2] ?? 0) > 0 }
    },
  }
}
