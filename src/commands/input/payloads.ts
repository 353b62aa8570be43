import { SvcError } from '../../errors.js'
import { readChunks } from './chunks.js'
import type { Location } from './location.js'
import { type Segment, splitSegments } from './segments.js'
import type { Source } from './sources.js'
import { brokenJson, describeSyntaxError, type LocatedViolation } from './syntax.js'

/** One payload of a source, or what is wrong with its JSON. `index` counts the payloads of the source from 0. */
export type Item =
  | ({ readonly index: number; readonly payload: unknown } & PayloadText)
  | ({ readonly index: number; readonly broken: LocatedViolation } & PayloadText)
  | { readonly problem: string }

/** Every payload of a source, read as it goes. Throws an SvcError when the source as a whole cannot be read. */
export async function* readPayloads(source: Source): AsyncGenerator<Item> {
  let index = 0
  let broken = false
  let empty = true
  for await (const segment of splitSegments(readChunks(source))) {
    if ('problem' in segment) {
      empty = false
      yield segment
    }
    // After a broken payload, what stands around the next ones is a consequence of it.
    if ('problem' in segment || (segment.fault !== undefined && broken)) continue
    for (const text of splitTexts(segment)) {
      const payload = parse(text.text)
      broken ||= payload === undefined
      if (payload === undefined) yield { index, broken: await describeBroken(segment, text), ...text }
      else yield { index, payload: payload.value, ...text }
      index++
      empty = false
    }
  }
  if (empty) throw new SvcError('invalid_request', 'it holds no payload.')
}

/** The text of a payload and where it starts. */
export interface PayloadText {
  readonly text: string
  readonly start: Location
}

/** The texts of the payloads of a segment; blank lines are none. */
export function* splitTexts(segment: Segment): Generator<PayloadText> {
  for (const stretch of splitStretches(segment)) {
    const text = readStretch(segment, stretch)
    if (text !== undefined) yield text
  }
}

/** Where a payload may stand among the bytes of a segment, from one index up to another, and the line it is on. */
export interface Stretch {
  readonly from: number
  readonly end: number
  readonly start: Location
}

/** The lines of a segment, or all of it where it is one payload. */
function* splitStretches(segment: Segment): Generator<Stretch> {
  // What is missing is one payload, too, of no bytes.
  for (let from = 0, line = 0; line === 0 || from < segment.bytes.length; line++) {
    const stretch = stretchAt(segment, from, line)
    yield stretch
    from = stretch.end + 1
  }
}

/** The line of a segment that begins at an index, so many lines after the first; all of it where it is one payload. */
export function stretchAt({ bytes, lines, start }: Segment, from: number, line: number): Stretch {
  if (!lines) return { from, end: bytes.length, start }
  const lineFeed = bytes.indexOf(10, from)
  const end = lineFeed < 0 ? bytes.length : lineFeed
  return { from, end, start: { line: start.line + line, column: 1 } }
}

/** The text of a stretch; a blank line has none. */
export function readStretch({ bytes, lines }: Segment, { from, end, start }: Stretch): PayloadText | undefined {
  // A line is decoded by itself: one accent in a megabyte would make all of it a slower two-byte text.
  const text = bytes.toString('utf8', from, end)
  return lines && isBlank(text) ? undefined : { text, start }
}

/** The value of a JSON text, or undefined for a broken one. */
export function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    // `describeBroken` says what is wrong; most texts are sound and shall not pay for it.
    return undefined
  }
}

export async function describeBroken(segment: Segment, { text, start }: PayloadText): Promise<LocatedViolation> {
  return segment.fault === undefined ? describeSyntaxError(text, start) : brokenJson(start, segment.fault)
}

function isBlank(text: string): boolean {
  return text.length < 4096 && text.trim() === ''
}
