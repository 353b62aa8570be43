import { SvcError } from '../errors.js'
import type { Location } from '../text/json-location.js'
import { splitArray } from './array.js'
import { payloadLimitBytes, type Segment, type SkippedSegment } from './result.js'

const lineFeed = 10
/** The most lines in a segment: the results of short lines take far more memory than the lines. */
const segmentLines = 1024
const tooLong = 'is longer than 16 MiB, the limit for one payload, and was not checked.'

/**
 * Splits a source into segments. The content decides the format: `[` starts an array of payloads, a first line that is
 * complete JSON starts NDJSON, everything else is one payload. Memory stays bounded by the payload limit.
 * Throws an SvcError for an empty source.
 */
export async function* splitSegments(chunks: AsyncIterable<Buffer>): AsyncGenerator<Segment | SkippedSegment> {
  const iterator = chunks[Symbol.asyncIterator]()
  const head = await readHead(iterator)
  const rest = { [Symbol.asyncIterator]: () => iterator }
  const first = head.bytes[head.significant]
  if (first === undefined) throw new SvcError('invalid_request', 'it is empty; a payload was expected.')
  if (first === openBracket) {
    const start = skipTo(head.bytes, head.significant, head.start)
    yield* splitArray(prepend(head.bytes.subarray(head.significant), rest), start)
  } else if (head.lines) {
    yield* splitLines(prepend(head.bytes, rest), head.start)
  } else if (head.ended) {
    yield { bytes: head.bytes, lines: false, start: head.start }
  } else {
    yield { problem: `The payload ${tooLong}` }
  }
}

const openBracket = 0x5b

interface Head {
  readonly bytes: Buffer
  readonly start: Location
  /** Offset of the first byte that is not white space. */
  readonly significant: number
  readonly lines: boolean
  /** True if the bytes are the whole source. */
  readonly ended: boolean
}

/** Reads as much as it takes to detect the format. */
async function readHead(iterator: AsyncIterator<Buffer>): Promise<Head> {
  let bytes: Buffer = Buffer.alloc(0)
  let ended = false
  let line = 1
  while (!ended && bytes.length <= payloadLimitBytes) {
    const next = await iterator.next()
    if (next.done === true) ended = true
    else bytes = bytes.length === 0 ? next.value : Buffer.concat([bytes, next.value])
    if (line === 1) bytes = removeByteOrderMark(bytes)
    const significant = findSignificant(bytes)
    if (significant === bytes.length) {
      // Only white space: keep nothing but the number of lines.
      line += countLines(bytes)
      bytes = bytes.subarray(bytes.lastIndexOf(lineFeed) + 1)
      continue
    }
    const start = { line, column: 1 }
    const head = { bytes, start, significant, ended }
    if (bytes[significant] === openBracket) return { ...head, lines: false }
    const firstLineEnd = bytes.indexOf(lineFeed, significant)
    if (firstLineEnd >= 0 && parses(bytes.subarray(0, firstLineEnd))) return { ...head, lines: true }
  }
  const significant = findSignificant(bytes)
  const head = { bytes, start: { line, column: 1 }, significant, ended }
  if (ended && parses(bytes)) return { ...head, lines: false }
  return { ...head, lines: significant < bytes.length && looksLikeLines(bytes, significant, ended) }
}

/** True for NDJSON whose first line is broken or too long: the second line is a complete object. */
function looksLikeLines(bytes: Buffer, significant: number, ended: boolean): boolean {
  const firstLineEnd = bytes.indexOf(lineFeed, significant)
  if (firstLineEnd < 0) return !ended
  const second = firstLineEnd + findSignificant(bytes.subarray(firstLineEnd))
  const secondLineEnd = bytes.indexOf(lineFeed, second)
  return bytes[second] === 0x7b && parses(bytes.subarray(second, secondLineEnd < 0 ? bytes.length : secondLineEnd))
}

/**
 * Yields batches of whole lines: the line that a chunk completes, then the other lines of the chunk. They are not copied
 * unless they are so short that they make several batches. A line over the limit is not kept while it is read.
 */
async function* splitLines(chunks: AsyncIterable<Buffer>, start: Location): AsyncGenerator<Segment | SkippedSegment> {
  let line = start.line
  let carry: Buffer = Buffer.alloc(0)
  let carriedBytes = 0
  for await (const chunk of chunks) {
    const firstEnd = chunk.indexOf(lineFeed)
    carriedBytes += firstEnd < 0 ? chunk.length : firstEnd
    const isTooLong = carriedBytes > payloadLimitBytes
    if (firstEnd < 0) {
      carry = isTooLong ? Buffer.alloc(0) : Buffer.concat([carry, chunk])
      continue
    }
    if (isTooLong) yield { problem: `Line ${line++} ${tooLong}` }
    else if (carry.length > 0) {
      yield toLines(Buffer.concat([carry, chunk.subarray(0, firstEnd + 1)]), line++)
    }
    let from = isTooLong || carry.length > 0 ? firstEnd + 1 : 0
    const end = chunk.lastIndexOf(lineFeed) + 1
    // Copied before the segment is yielded: its memory may move to another thread.
    carry = Buffer.from(chunk.subarray(end))
    carriedBytes = carry.length
    while (from < end) {
      const batch = takeLines(chunk.subarray(from, end))
      from += batch.bytes.length
      yield toLines(from < end ? Buffer.from(batch.bytes) : batch.bytes, line)
      line += batch.count
    }
  }
  if (carriedBytes > payloadLimitBytes) yield { problem: `Line ${line} ${tooLong}` }
  else if (carry.length > 0) yield toLines(carry, line)
}

/** Returns the first lines, at most as many as a segment may have, and their number. */
function takeLines(lines: Buffer): { readonly bytes: Buffer; readonly count: number } {
  let end = 0
  let count = 0
  while (end < lines.length && count < segmentLines) {
    end = lines.indexOf(lineFeed, end) + 1
    count++
  }
  return { bytes: lines.subarray(0, end), count }
}

const toLines = (bytes: Buffer, line: number): Segment => ({ bytes, lines: true, start: { line, column: 1 } })

function parses(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    // The check of the payload describes the error.
    return false
  }
}

function removeByteOrderMark(bytes: Buffer): Buffer {
  const [first, second, third] = bytes
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes
}

function findSignificant(bytes: Buffer): number {
  let at = 0
  while (bytes[at] === 0x20 || bytes[at] === lineFeed || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return at
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count++
  return count
}

/** Returns the location of a byte that follows only white space. */
function skipTo(bytes: Buffer, offset: number, start: Location): Location {
  const blank = bytes.subarray(0, offset)
  const line = start.line + countLines(blank)
  return { line, column: offset - blank.lastIndexOf(lineFeed) }
}

async function* prepend(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield* rest
}
