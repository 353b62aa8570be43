import { isSvcError, SvcError } from '../errors.js'
import type { Location } from '../text/json-location.js'
import { readChunks } from './chunks.js'
import type { Segment } from './segment.js'
import type { Source } from './sources.js'
import { splitSegments } from './split-segments.js'
import { describeSyntaxError, type LocatedViolation, toSyntaxViolation } from './syntax.js'

/** One payload of a source, or its syntax error, or a skipped segment. `index` counts the payloads from 0. */
export type Item =
  | ({ readonly index: number; readonly payload: unknown } & PayloadText)
  | ({ readonly index: number; readonly broken: LocatedViolation } & PayloadText)
  | { readonly problem: string }

/** Yields every payload of a source while it reads. Throws an SvcError if the source as a whole cannot be read. */
export async function* readPayloads(source: Source): AsyncGenerator<Item> {
  let index = 0
  let isBroken = false
  let isEmpty = true
  for await (const segment of splitSegments(readChunks(source))) {
    if ('problem' in segment) {
      isEmpty = false
      yield segment
    }
    // After a broken payload, a syntax error of the array is a consequence of it.
    if ('problem' in segment || (segment.syntaxError !== undefined && isBroken)) continue
    for (const text of splitTexts(segment)) {
      const payload = parse(text.text)
      isBroken ||= payload === undefined
      if (payload === undefined) yield { index, broken: await describeBroken(segment, text), ...text }
      else yield { index, payload: payload.value, ...text }
      index++
      isEmpty = false
    }
  }
  if (isEmpty) throw new SvcError('invalid_request', 'it holds no payload.')
}

/** Yields every payload of a source. Throws an SvcError that names the source for any part that cannot be read. */
export async function* readAllPayloads(source: Source): AsyncGenerator<Exclude<Item, { readonly problem: string }>> {
  try {
    for await (const item of readPayloads(source)) {
      if ('problem' in item) throw new SvcError('invalid_request', item.problem)
      yield item
    }
  } catch (cause) {
    if (!isSvcError(cause)) throw cause
    throw new SvcError(cause.code, `${source.name}: ${cause.message}`, { cause })
  }
}

/** The text of a payload and its start in the file. */
export interface PayloadText {
  readonly text: string
  readonly start: Location
}

/** Yields the texts of the payloads of a segment, without blank lines. */
function* splitTexts(segment: Segment): Generator<PayloadText> {
  // A missing payload of an array counts as one, without bytes.
  for (let from = 0, line = 0; line === 0 || from < segment.bytes.length; line++) {
    const span = spanAt(segment, from, line)
    const text = decodeSpan(segment, span)
    if (text !== undefined) yield text
    from = span.end + 1
  }
}

/** The bytes of a segment that may hold a payload: a line, or all of them. */
export interface PayloadSpan {
  readonly from: number
  readonly end: number
  readonly start: Location
}

/** Returns the line of a segment that begins at `from`, `line` lines after the first; all of a segment of one payload. */
export function spanAt({ bytes, lines, start }: Segment, from: number, line: number): PayloadSpan {
  if (!lines) return { from, end: bytes.length, start }
  const lineFeed = bytes.indexOf(10, from)
  const end = lineFeed < 0 ? bytes.length : lineFeed
  return { from, end, start: { line: start.line + line, column: 1 } }
}

/** Decodes the text of a span; undefined for a blank line. */
export function decodeSpan({ bytes, lines }: Segment, { from, end, start }: PayloadSpan): PayloadText | undefined {
  // Lines are decoded one by one: a single accent in a megabyte would make all of it a slower two-byte string.
  const text = bytes.toString('utf8', from, end)
  return lines && isBlank(text) ? undefined : { text, start }
}

/** Parses a JSON text; undefined if it is broken. */
export function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    // `describeBroken` finds the error: most texts are valid and should not pay for that.
    return undefined
  }
}

export async function describeBroken(segment: Segment, { text, start }: PayloadText): Promise<LocatedViolation> {
  return segment.syntaxError === undefined
    ? describeSyntaxError(text, start)
    : toSyntaxViolation(start, segment.syntaxError)
}

function isBlank(text: string): boolean {
  return text.length < 4096 && text.trim() === ''
}
