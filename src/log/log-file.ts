import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { LogPart } from './merge.js'
import type { TimedEntry } from './request-log.js'

/** Small, so that parsing a piece does not block other calls. */
const pieceBytes = 64 << 10
/** The maximum size of a piece if earlier ones had no match, and so nothing was parsed. */
const pieceBytesAtMost = 512 << 10
const lineFeed = 0x0a
const timeAt = '{"time":"'.length
const timeLength = '2026-10-20T08:00:00.000Z'.length

export interface LineFilter<T> {
  /** A text that every matching line contains. */
  readonly needle?: string | undefined
  /** Returns the entry of a line, or undefined if it does not match. */
  readonly parse: (line: string) => T | undefined
}

interface FoundEntry<T> {
  readonly entry: T
  /** The offset of its line. */
  readonly start: number
}

/**
 * A log file that is read in pieces of whole lines, in either direction. The text after the last line feed is still being
 * written. Lines are in order of time unless the clock was set back.
 */
export class LogFile<T extends TimedEntry> implements LogPart<T> {
  readonly path: string
  /** The offset after the last whole line; of a file read backward, only after the first read. */
  end: number
  /** Lines were read up to this offset, or backward down to it. */
  #offset: number
  #found: FoundEntry<T>[] = []
  #taken = 0
  #pieceBytes = pieceBytes
  /** The time of the last read line. Before the first read: a text that sorts first. */
  #lastTime: string
  #isRead: boolean
  #isEndKnown: boolean
  readonly #filter: LineFilter<T>
  readonly #needle: Buffer | undefined

  constructor(path: string, offset: number, filter: LineFilter<T>, direction: 'forward' | 'backward' = 'forward') {
    this.path = path
    this.end = offset
    this.#offset = offset
    this.#filter = filter
    this.#needle = filter.needle === undefined ? undefined : Buffer.from(filter.needle)
    this.#isEndKnown = direction === 'forward'
    this.#lastTime = direction === 'forward' ? '' : '\uffff'
    this.#isRead = direction === 'backward' && offset === 0
  }

  get isDone(): boolean {
    return this.#isRead && this.#taken === this.#found.length
  }

  /** The time of the next entry, or of the last read line. */
  get time(): string {
    return this.#found[this.#taken]?.entry.time ?? this.#lastTime
  }

  /** The offset to resume a forward read: before the next buffered entry. */
  get position(): number {
    return this.#found[this.#taken]?.start ?? this.#offset
  }

  /** Removes and returns the next buffered entry. */
  take(): T | undefined {
    const next = this.#found[this.#taken]
    if (next !== undefined) this.#taken++
    return next?.entry
  }

  /** Reads the next piece. */
  async readOn(): Promise<void> {
    for (let bytes = this.#pieceBytes; ; bytes *= 2) {
      const piece = await readPiece(this.path, this.#offset, bytes)
      const whole = piece.subarray(0, piece.lastIndexOf(lineFeed) + 1)
      this.#isRead = piece.length < bytes
      // A line longer than the piece.
      if (whole.length === 0 && !this.#isRead) continue
      this.#found = this.#findIn(whole, this.#offset)
      this.#taken = 0
      this.#offset += whole.length
      const lastAt = whole.lastIndexOf(lineFeed, -2) + 1
      this.#lastTime = readTime(whole, lastAt) ?? this.#lastTime
      return
    }
  }

  /** Reads the piece before. */
  async readBack(): Promise<void> {
    for (let bytes = this.#pieceBytes; ; bytes *= 2) {
      const from = Math.max(0, this.#offset - bytes)
      const piece = await readPiece(this.path, from, this.#offset - from)
      const first = from === 0 ? 0 : piece.indexOf(lineFeed) + 1
      const last = piece.lastIndexOf(lineFeed) + 1
      // A line longer than the piece.
      if (first >= last && from > 0) continue
      if (!this.#isEndKnown) this.end = from + last
      this.#isEndKnown = true
      const whole = piece.subarray(first, last)
      this.#found = this.#findIn(whole, from + first).reverse()
      this.#taken = 0
      this.#offset = from + first
      this.#isRead = this.#offset === 0
      this.#lastTime = readTime(whole, 0) ?? this.#lastTime
      return
    }
  }

  #findIn(lines: Buffer, offset: number): FoundEntry<T>[] {
    const found: FoundEntry<T>[] = []
    for (let at = 0; at < lines.length; ) {
      const hit = this.#needle === undefined ? at : lines.indexOf(this.#needle, at)
      if (hit === -1) break
      const start = lines.lastIndexOf(lineFeed, hit) + 1
      const end = lines.indexOf(lineFeed, hit)
      const entry = this.#filter.parse(lines.toString('utf8', start, end))
      if (entry !== undefined) found.push({ entry, start: offset + start })
      at = end + 1
    }
    const isBare = this.#needle !== undefined && found.length === 0
    this.#pieceBytes = isBare ? Math.min(this.#pieceBytes * 2, pieceBytesAtMost) : pieceBytes
    return found
  }
}

/** Reads the available bytes. Returns an empty buffer if the file was deleted to free space. */
async function readPiece(path: string, offset: number, bytes: number): Promise<Buffer> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, offset)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** Every line of the log begins with its time. */
function readTime(lines: Buffer, start: number): string | undefined {
  const head = lines.toString('latin1', start, start + timeAt + timeLength)
  return head.startsWith('{"time":"') && head.length === timeAt + timeLength ? head.slice(timeAt) : undefined
}
