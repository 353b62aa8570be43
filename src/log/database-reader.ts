import type { LogLineStore, LogWriter } from '../ports/log-lines.js'
import { type DatabasePosition, fromDatabaseCursor, isRead, toDatabaseCursor } from './database-cursor.js'
import { ascending, descending, type LogPart, merge } from './merge.js'
import type { EntryFilter, LineMatch, LogReader, LogScan, TimedEntry } from './request-log.js'

const linesPerPage = 500

/** Reads the log of the database: the lines of all processes, merged by time. */
export function createDatabaseReader(store: LogLineStore): LogReader {
  return {
    scanForward: (cursor, filter) => {
      const from = cursor === undefined ? { readUntil: 0, numbers: new Map() } : fromDatabaseCursor(cursor)
      return scan(store, filter, from)
    },
    scanBackward: (filter) => scan(store, filter),
  }
}

/** Reads forward from a position, or backward from the end. */
function scan<T extends TimedEntry>(
  store: LogLineStore,
  { match, parse }: EntryFilter<T>,
  from?: DatabasePosition,
): LogScan<T> {
  let writers: readonly LogWriter[] = []
  let parts: readonly WriterLines<T>[] | undefined

  async function open(): Promise<readonly WriterLines<T>[]> {
    writers = await store.listLogWriters()
    // Backward, the first of several instances with one time comes last.
    const unread = from === undefined ? [...writers].reverse() : writers.filter((writer) => !isRead(writer, from))
    const matching = match?.id === undefined ? undefined : new Set(await store.listLogWritersOf(match.id))
    return unread
      .filter(({ instance }) => matching?.has(instance) !== false)
      .map((writer) => new WriterLines(store, writer, { match, parse, from }))
  }

  return {
    async next(limit) {
      parts ??= await open()
      return merge(parts, limit, from === undefined ? descending : ascending, (part) => part.readOn())
    },
    cursor() {
      const read = new Map((parts ?? []).map((part) => [part.writer.instance, part.number]))
      const next = from && parts?.filter(({ isDone }) => !isDone).map(({ at }) => at)
      const point = next === undefined || next.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...next)
      const numberOf = ({ instance, lastNumber }: LogWriter) => read.get(instance) ?? lastNumber
      return toDatabaseCursor(writers, numberOf, point, from?.readUntil)
    },
  }
}

interface LogReading<T> {
  readonly match: LineMatch | undefined
  readonly parse: (line: string) => T | undefined
  /** Undefined to read backward from the end. */
  readonly from: DatabasePosition | undefined
}

interface FoundLine<T> {
  readonly entry: T
  readonly number: number
  readonly at: number
}

/** The lines of one instance, read in pages. */
class WriterLines<T> implements LogPart<T> {
  readonly writer: LogWriter
  /** Of the last read line. */
  #number: number
  #at: number
  #found: FoundLine<T>[] = []
  #taken = 0
  #isRead = false
  readonly #store: LogLineStore
  readonly #reading: LogReading<T>

  constructor(store: LogLineStore, writer: LogWriter, reading: LogReading<T>) {
    const { instance, firstAt, lastAt, lastNumber } = writer
    this.writer = writer
    this.#store = store
    this.#reading = reading
    this.#number = reading.from === undefined ? lastNumber + 1 : (reading.from.numbers.get(instance) ?? 0)
    this.#at = reading.from === undefined ? lastAt : firstAt
  }

  get isDone(): boolean {
    return this.#isRead && this.#taken === this.#found.length
  }

  /** The time of the next line, or a time before it; backward, after it. */
  get at(): number {
    return this.#found[this.#taken]?.at ?? this.#at
  }

  get time(): string {
    return new Date(this.at).toISOString()
  }

  /** The number of the line after which a forward read resumes. */
  get number(): number {
    if (this.#reading.from === undefined) return this.writer.lastNumber
    const next = this.#found[this.#taken]
    return next === undefined ? this.#number : next.number - 1
  }

  take(): T | undefined {
    const next = this.#found[this.#taken]
    if (next !== undefined) this.#taken++
    return next?.entry
  }

  /** Reads the next page. */
  async readOn(): Promise<void> {
    const { match, parse, from } = this.#reading
    const isForward = from !== undefined
    const { instance, lastNumber } = this.writer
    const isUnnamed = isForward && !from.numbers.has(instance)
    const lines = await this.#store.listLogLines({
      ...match,
      instance,
      after: isForward ? this.#number : 0,
      before: isForward ? lastNumber + 1 : this.#number,
      since: isUnnamed ? from.readUntil : 0,
      newestFirst: !isForward,
      limit: linesPerPage,
    })
    this.#taken = 0
    this.#found = lines.flatMap(({ number, at, text }) => {
      const entry = parse(text)
      return entry === undefined ? [] : [{ entry, number, at }]
    })
    const last = lines.at(-1)
    this.#isRead = lines.length < linesPerPage
    this.#number = this.#isRead && isForward ? lastNumber : (last?.number ?? this.#number)
    this.#at = last?.at ?? this.#at
  }
}
