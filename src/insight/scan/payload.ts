import { listShapes } from '../../generated/payload-shapes.js'
import { scannerCode } from '../../generated/scanner.js'
import type { JsonObject } from '../json-object.js'
import { Address } from './assembly/layout.js'
import { createScanMemory, maxInputBytes } from './memory.js'
import { writeProgram } from './program.js'
import { createTexts } from './texts.js'
import { createMakePayload } from './values.js'

/** A payload whose structure is beyond doubt. */
export interface Scanned {
  /**
   * An object as `JSON.parse` would make it, with two differences: columns replace its daily arrays, and
   * members that are missing may be there as `undefined`. It holds until the next scan.
   */
  readonly payload: JsonObject
  /** True if an object has a member that it is not known to have. */
  readonly hasOthers: boolean
  /** The end of its line: index of the line feed, or the index after the last byte. */
  readonly end: number
}

export interface Scanner {
  /** Takes lines of UTF-8 text; those of before are forgotten. False if they are too long. */
  readonly load: (bytes: Uint8Array) => boolean
  /**
   * Reads the line that begins at an index of what was loaded; `undefined` if it holds no payload, or that is in doubt.
   */
  readonly scan: (start: number) => Scanned | undefined
}

/** The exports of `assembly/index.ts`; what it imports is named after the files that do. */
interface Exports {
  readonly scan: (node: number, start: number, end: number) => number
  readonly setPages: (pageList: number, metricCell: number, windowCell: number, windows: number) => void
}

/** Makes what reads payloads that stand on one line each, by a table of shapes. */
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
  let end: number = Address.Input
  return {
    load: (text) => {
      if (text.length > maxInputBytes) return false
      bytes.set(text, Address.Input)
      end = Address.Input + text.length
      // As many as are read at once.
      bytes.fill(0, end, end + 8)
      return true
    },
    scan: (start) => {
      const lineEnd = scan(envelope, Address.Input + start, end)
      texts.takeNew()
      const page = pages.get(integers[Address.Page >> 2] ?? 0)
      const payload = lineEnd > 0 && page !== undefined ? makePayload(page) : undefined
      if (payload === undefined) return undefined
      return { payload, hasOthers: (integers[Address.OtherCount >> 2] ?? 0) > 0, end: lineEnd - Address.Input }
    },
  }
}
