import type { Location } from '../text/json-location.js'
import { payloadLimitBytes, type Segment, type SkippedSegment } from './result.js'

/**
 * Splits a JSON array into one segment per element while it reads. It counts nesting but does not check it: the parser of
 * the element does. A syntax error between or after the elements gives a segment with a `syntaxError`.
 */
export async function* splitArray(
  chunks: AsyncIterable<Buffer>,
  start: Location,
): AsyncGenerator<Segment | SkippedSegment> {
  const classify = createClassifier()
  const position = createPosition(start)
  const element = createElement()
  let separator: ByteRole = 'open'
  for await (const chunk of chunks) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      const role = classify(byte)
      if (role === 'element') {
        if (!element.isOpen()) {
          element.begin(position.location())
          from = at
        }
      } else if (role === 'comma' || role === 'close') {
        if (element.isOpen()) yield element.end(chunk.subarray(from, at))
        else if (role === 'comma' || separator === 'comma')
          yield toSyntaxError(position.location(), 'a comma too many, a payload is missing')
        separator = role
      } else if (role === 'trailing') {
        yield toSyntaxError(position.location(), 'text after the end of the array')
        return
      }
      position.advance(byte)
    }
    if (element.isOpen()) element.add(chunk.subarray(from))
  }
  if (element.isOpen()) yield element.end(Buffer.alloc(0))
  if (separator !== 'close') yield toSyntaxError(position.location(), 'the array is not closed')
}

/** The role of a byte in the array: a bracket or comma of the array, part of an element, white space, or after its end. */
type ByteRole = 'open' | 'comma' | 'close' | 'element' | 'blank' | 'trailing'

const codes = { quote: 0x22, backslash: 0x5c, comma: 0x2c, lineFeed: 0x0a } as const
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d
const isBlank = (byte: number) => byte === 0x20 || byte === codes.lineFeed || byte === 0x0d || byte === 0x09

function createClassifier(): (byte: number) => ByteRole {
  let depth = 0
  let isClosed = false
  let isString = false
  let isEscaped = false
  return (byte) => {
    if (isString) {
      if (isEscaped) isEscaped = false
      else if (byte === codes.backslash) isEscaped = true
      else if (byte === codes.quote) isString = false
      return 'element'
    }
    if (isBlank(byte)) return 'blank'
    if (isClosed) return 'trailing'
    if (byte === codes.comma) return depth === 1 ? 'comma' : 'element'
    if (isOpening(byte)) return depth++ === 0 ? 'open' : 'element'
    if (isClosing(byte)) {
      isClosed = --depth === 0
      return isClosed ? 'close' : 'element'
    }
    isString = byte === codes.quote
    return 'element'
  }
}

/** Tracks the location of the next byte. UTF-8 of four bytes is two UTF-16 code units; shorter sequences are one. */
function createPosition(start: Location) {
  let { line, column } = start
  return {
    location: (): Location => ({ line, column }),
    advance: (byte: number) => {
      if (byte === codes.lineFeed) {
        line++
        column = 1
      } else if ((byte & 0xc0) !== 0x80) {
        column += byte >= 0xf0 ? 2 : 1
      }
    },
  }
}

/** The element that is being read. Past the limit, only its length is kept. */
function createElement() {
  let pieces: Buffer[] = []
  let length = 0
  let start: Location | undefined
  const add = (piece: Buffer) => {
    length += piece.length
    if (length <= payloadLimitBytes) pieces.push(piece)
    else pieces = []
  }
  return {
    isOpen: () => start !== undefined,
    begin: (at: Location) => {
      start = at
    },
    add,
    end: (last: Buffer): Segment | SkippedSegment => {
      add(last)
      const begin = start ?? { line: 1, column: 1 }
      const segment: Segment | SkippedSegment =
        length > payloadLimitBytes
          ? { problem: `The payload at line ${begin.line} is longer than 16 MiB, the limit, and was not checked.` }
          : { bytes: Buffer.concat(pieces), lines: false, start: begin }
      pieces = []
      length = 0
      start = undefined
      return segment
    },
  }
}

function toSyntaxError(start: Location, syntaxError: string): Segment {
  return { bytes: Buffer.alloc(0), lines: false, start, syntaxError }
}
