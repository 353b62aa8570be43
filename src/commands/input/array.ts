import type { Location } from './location.js'
import type { Gap, Segment } from './segments.js'

const codes = { quote: 0x22, backslash: 0x5c, comma: 0x2c, lineFeed: 0x0a } as const
const opens = new Set([0x5b, 0x7b])
const closes = new Set([0x5d, 0x7d])
const blanks = new Set([0x20, 0x0a, 0x0d, 0x09])

/**
 * Cuts a JSON array into its elements while it is read, one segment each; nesting is counted, not checked (the parser of
 * the element does that). What stands between and after the elements gives a segment with a fault.
 */
export async function* splitArray(
  chunks: AsyncIterable<Buffer>,
  start: Location,
  limitBytes: number,
): AsyncGenerator<Segment | Gap> {
  const parts: Buffer[] = []
  let { line, column } = start
  let depth = 0
  let text = false
  let escaped = false
  let closed = false
  let afterComma = false
  let elementStart: Location | undefined
  let elementBytes = 0

  const fault = (words: string): Segment => ({
    bytes: Buffer.alloc(0),
    lines: false,
    start: { line, column },
    fault: words,
  })
  const takeElement = (last: Buffer): Segment | Gap => {
    const begin = elementStart ?? { line, column }
    const bytes = Buffer.concat([...parts, last])
    const long = elementBytes > limitBytes
    parts.length = 0
    elementBytes = 0
    elementStart = undefined
    return long
      ? { problem: `The payload at line ${begin.line} is longer than 16 MiB, the limit, and was not checked.` }
      : { bytes, lines: false, start: begin }
  }

  for await (const chunk of chunks) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (text) {
        if (escaped) escaped = false
        else if (byte === codes.backslash) escaped = true
        else if (byte === codes.quote) text = false
      } else if (closed) {
        if (!blanks.has(byte)) {
          yield fault('something follows the end of the array')
          return
        }
      } else if (depth === 1 && (byte === codes.comma || closes.has(byte))) {
        if (elementStart !== undefined) {
          elementBytes += at - from
          yield takeElement(chunk.subarray(from, at))
        } else if (byte === codes.comma || afterComma) {
          yield fault('a comma too many, a payload is missing')
        }
        afterComma = byte === codes.comma
        if (!afterComma) {
          depth = 0
          closed = true
        }
      } else if (!blanks.has(byte)) {
        if (depth === 1 && elementStart === undefined) {
          elementStart = { line, column }
          from = at
        }
        if (byte === codes.quote) text = true
        else if (opens.has(byte)) depth++
        else if (closes.has(byte)) depth--
      }
      if (byte === codes.lineFeed) {
        line++
        column = 1
      } else if ((byte & 0xc0) !== 0x80) {
        column += byte >= 0xf0 ? 2 : 1
      }
    }
    if (elementStart !== undefined) {
      elementBytes += chunk.length - from
      // Past the limit only the length is still of interest.
      if (elementBytes <= limitBytes) parts.push(chunk.subarray(from))
      else parts.length = 0
    }
  }
  if (elementStart !== undefined) yield takeElement(Buffer.alloc(0))
  if (!closed) yield fault('the array is not closed')
}
