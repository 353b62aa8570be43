import { isSvcError, SvcError } from '../errors.js'
import type { Location } from '../text/json-location.js'
import { readChunks } from './chunks.js'
import { describeSyntaxError, type LocatedViolation, type Segment, toSyntaxViolation } from './result.js'
import type { Source } from './sources.js'
import { splitSegments } from './split-segments.js'

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

/** Yields the texts of the payloads of a segment, without blank lines. A missing payload of an array counts as one, without text. */
export function* splitTexts({ bytes, lines, start }: Segment): Generator<PayloadText> {
  if (!lines) {
    yield { text: bytes.toString(), start }
    return
  }
  let line = start.line
  for (let from = 0; from < bytes.length; line++) {
    const lineFeed = bytes.indexOf(10, from)
    const end = lineFeed < 0 ? bytes.length : lineFeed
    // Lines are decoded one by one: a single accent in a megabyte would make all of it a slower two-byte string.
    const text = bytes.toString('utf8', from, end)
    if (!isBlank(text)) yield { text, start: { line, column: 1 } }
    from = end + 1
  }
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
