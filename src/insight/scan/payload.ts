import { listShapes } from '../../generated/payload-shapes.js'
import { scannerCode } from '../../generated/scanner.js'
import { Address } from './assembly/layout.js'
import { createScanMemory, maxInputBytes } from './memory.js'
import { writeProgram } from './program.js'
import { createTexts } from './texts.js'
import { createMakePayload, type MadePayload } from './values.js'

/** A payload whose structure is valid. */
export interface Scanned extends MadePayload {
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

/** Creates a reader of payloads, one per line, from a table of shapes. */
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
      const made = lineEnd > 0 && page !== undefined ? makePayload(page) : undefined
      return made && { ...made, end: lineEnd - Address.Input }
    },
  }
}
