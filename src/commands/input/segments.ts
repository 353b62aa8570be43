import { SvcError } from '../../errors.js'
import { splitArray } from './array.js'
import type { Location } from './location.js'

/** A stretch of a source: some whole lines of NDJSON, or the text of one payload. It starts at `start` in its file. */
export interface Segment {
  readonly bytes: Buffer
  readonly lines: boolean
  readonly start: Location
  /** Set where a payload is missing or an array does not end: what is wrong, in words. */
  readonly fault?: string
}

/** A stretch that is passed over, with the sentence that says why. */
export interface Gap {
  readonly problem: string
}

/** The longest payload or NDJSON line that is read. */
export const payloadLimitBytes = 16 << 20

const lineFeed = 10
/** Lines of a segment at most: what is found out about short ones takes far more memory than they do. */
const segmentLines = 1024
const tooLong = 'is longer than 16 MiB, the limit for one payload, and was not checked.'

/**
 * Cuts a source into segments. What it holds is told by its content: `[` starts an array of payloads; a first line that
 * is JSON by itself starts NDJSON; all else is one payload. Memory stays bounded by the payload limit.
 * Throws an SvcError for a source that holds nothing.
 */
export async function* splitSegments(chunks: AsyncIterable<Buffer>): AsyncGenerator<Segment | Gap> {
  const iterator = chunks[Symbol.asyncIterator]()
  const head = await readHead(iterator)
  const rest = { [Symbol.asyncIterator]: () => iterator }
  const first = head.bytes[head.significant]
  if (first === undefined) throw new SvcError('invalid_request', 'it is empty; a payload was expected.')
  if (first === openBracket) {
    const start = skipTo(head.bytes, head.significant, head.start)
    yield* splitArray(prepend(head.bytes.subarray(head.significant), rest), start, payloadLimitBytes)
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
  /** Whether the bytes are the whole source. */
  readonly ended: boolean
}

/** Reads as much as it takes to tell what the source holds. */
async function readHead(iterator: AsyncIterator<Buffer>): Promise<Head> {
  let bytes: Buffer = Buffer.alloc(0)
  let ended = false
  let line = 1
  while (!ended && bytes.length <= payloadLimitBytes) {
    const next = await iterator.next()
    if (next.done === true) ended = true
    else bytes = bytes.length === 0 ? next.value : Buffer.concat([bytes, next.value])
    if (line === 1) bytes = withoutMark(bytes)
    const significant = findSignificant(bytes)
    if (significant === bytes.length) {
      // White space alone: nothing to keep but the count of its lines.
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

/** NDJSON whose first line is broken or too long: the next line is an object by itself. */
function looksLikeLines(bytes: Buffer, significant: number, ended: boolean): boolean {
  const firstLineEnd = bytes.indexOf(lineFeed, significant)
  if (firstLineEnd < 0) return !ended
  const second = firstLineEnd + findSignificant(bytes.subarray(firstLineEnd))
  const secondLineEnd = bytes.indexOf(lineFeed, second)
  return bytes[second] === 0x7b && parses(bytes.subarray(second, secondLineEnd < 0 ? bytes.length : secondLineEnd))
}

/**
 * Batches of whole lines: what a chunk completes of the line before it, and the lines of the chunk itself, uncopied
 * unless they are so short that they make several batches.
 * A line beyond the limit is not kept while it is read.
 */
async function* splitLines(chunks: AsyncIterable<Buffer>, start: Location): AsyncGenerator<Segment | Gap> {
  let line = start.line
  let carry: Buffer = Buffer.alloc(0)
  let carriedBytes = 0
  for await (const chunk of chunks) {
    const firstEnd = chunk.indexOf(lineFeed)
    carriedBytes += firstEnd < 0 ? chunk.length : firstEnd
    const long = carriedBytes > payloadLimitBytes
    if (firstEnd < 0) {
      carry = long ? Buffer.alloc(0) : Buffer.concat([carry, chunk])
      continue
    }
    if (long) yield { problem: `Line ${line++} ${tooLong}` }
    else if (carry.length > 0) {
      yield toLines(Buffer.concat([carry, chunk.subarray(0, firstEnd + 1)]), line++)
    }
    let from = long || carry.length > 0 ? firstEnd + 1 : 0
    const end = chunk.lastIndexOf(lineFeed) + 1
    // All that is still of use is taken before the segment leaves: its memory may move to another thread.
    carry = Buffer.from(chunk.subarray(end))
    carriedBytes = carry.length
    while (from < end) {
      const part = takeLines(chunk.subarray(from, end))
      from += part.bytes.length
      yield toLines(from < end ? Buffer.from(part.bytes) : part.bytes, line)
      line += part.count
    }
  }
  if (carriedBytes > payloadLimitBytes) yield { problem: `Line ${line} ${tooLong}` }
  else if (carry.length > 0) yield toLines(carry, line)
}

/** The first lines of some, as many as a segment may have, and how many these are. */
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
    // The question is only whether it parses; what is wrong is said when the payload is checked.
    return false
  }
}

function withoutMark(bytes: Buffer): Buffer {
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

/** The location of a byte behind white space. */
function skipTo(bytes: Buffer, offset: number, start: Location): Location {
  const blank = bytes.subarray(0, offset)
  const line = start.line + countLines(blank)
  return { line, column: offset - blank.lastIndexOf(lineFeed) }
}

async function* prepend(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield* rest
}
