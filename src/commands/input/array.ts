import type { Location } from './location.js'
import type { Gap, Segment } from './segments.js'

/**
 * Cuts a JSON array into its elements while it is read, one segment each; nesting is counted, not checked (the parser of
 * the element does that). What stands between and after the elements gives a segment with a fault.
 */
export async function* splitArray(
  chunks: AsyncIterable<Buffer>,
  start: Location,
  limitBytes: number,
): AsyncGenerator<Segment | Gap> {
  const read = createReader()
  const place = createPlace(start)
  const element = createElement(limitBytes)
  let before: Meaning = 'open'
  for await (const chunk of chunks) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      const meaning = read(byte)
      if (meaning === 'inside') {
        if (!element.isOpen()) {
          element.begin(place.now())
          from = at
        }
      } else if (meaning === 'comma' || meaning === 'close') {
        if (element.isOpen()) yield element.end(chunk.subarray(from, at))
        else if (meaning === 'comma' || before === 'comma')
          yield toFault(place.now(), 'a comma too many, a payload is missing')
        before = meaning
      } else if (meaning === 'after') {
        yield toFault(place.now(), 'something follows the end of the array')
        return
      }
      place.pass(byte)
    }
    if (element.isOpen()) element.add(chunk.subarray(from))
  }
  if (element.isOpen()) yield element.end(Buffer.alloc(0))
  if (before !== 'close') yield toFault(place.now(), 'the array is not closed')
}

/** What a byte is to the array: its brackets and commas, part of an element, white space between, or what follows it. */
type Meaning = 'open' | 'comma' | 'close' | 'inside' | 'blank' | 'after'

const codes = { quote: 0x22, backslash: 0x5c, comma: 0x2c, lineFeed: 0x0a } as const
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d
const isBlank = (byte: number) => byte === 0x20 || byte === codes.lineFeed || byte === 0x0d || byte === 0x09

function createReader(): (byte: number) => Meaning {
  let depth = 0
  let isClosed = false
  let isText = false
  let isEscaped = false
  return (byte) => {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (byte === codes.backslash) isEscaped = true
      else if (byte === codes.quote) isText = false
      return 'inside'
    }
    if (isBlank(byte)) return 'blank'
    if (isClosed) return 'after'
    if (byte === codes.comma) return depth === 1 ? 'comma' : 'inside'
    if (isOpening(byte)) return depth++ === 0 ? 'open' : 'inside'
    if (isClosing(byte)) {
      isClosed = --depth === 0
      return isClosed ? 'close' : 'inside'
    }
    isText = byte === codes.quote
    return 'inside'
  }
}

/** Line and column of the next byte; UTF-8 of four bytes is two UTF-16 code units, all shorter ones are one. */
function createPlace(start: Location) {
  let { line, column } = start
  return {
    now: (): Location => ({ line, column }),
    pass: (byte: number) => {
      if (byte === codes.lineFeed) {
        line++
        column = 1
      } else if ((byte & 0xc0) !== 0x80) {
        column += byte >= 0xf0 ? 2 : 1
      }
    },
  }
}

/** The element that is being read. Past the limit only its length is kept. */
function createElement(limitBytes: number) {
  let parts: Buffer[] = []
  let length = 0
  let start: Location | undefined
  const add = (part: Buffer) => {
    length += part.length
    if (length <= limitBytes) parts.push(part)
    else parts = []
  }
  return {
    isOpen: () => start !== undefined,
    begin: (at: Location) => {
      start = at
    },
    add,
    end: (last: Buffer): Segment | Gap => {
      add(last)
      const begin = start ?? { line: 1, column: 1 }
      const whole: Segment | Gap =
        length > limitBytes
          ? { problem: `The payload at line ${begin.line} is longer than 16 MiB, the limit, and was not checked.` }
          : { bytes: Buffer.concat(parts), lines: false, start: begin }
      parts = []
      length = 0
      start = undefined
      return whole
    },
  }
}

function toFault(start: Location, fault: string): Segment {
  return { bytes: Buffer.alloc(0), lines: false, start, fault }
}
