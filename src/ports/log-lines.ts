/** The lines of the request log as rows, for processes of several machines. */

export interface LogLine {
  /** The process that wrote it. */
  readonly instance: string
  /** Counts the lines of the instance from 1. An instance commits its lines in this order. */
  readonly number: number
  /** Epoch milliseconds. Never decreases within an instance. */
  readonly at: number
  readonly requestId: string | null
  readonly callerRequestId: string | null
  readonly traceId: string | null
  readonly status: number | null
  /** JSON. */
  readonly text: string
}

/** The lines that an instance has in the log. */
export interface LogWriter {
  readonly instance: string
  readonly firstNumber: number
  readonly lastNumber: number
  readonly firstAt: number
  readonly lastAt: number
}

export interface LineQuery {
  readonly instance: string
  /** Only lines after this number. */
  readonly after: number
  /** Only lines before this number. */
  readonly before: number
  /** Only lines after this time, epoch milliseconds. */
  readonly since: number
  /** A request ID, of the answer or as it was sent, or a trace ID. */
  readonly id?: string | undefined
  readonly status?: number | undefined
  readonly newestFirst: boolean
  readonly limit: number
}

export interface LogLineStore {
  /** Appends lines. Lines that exist already are ignored, so a caller may repeat an append whose answer was lost. */
  appendLogLines(lines: readonly LogLine[]): Promise<void>
  /** Lists the instances that have lines. Costs one search per instance. */
  listLogWriters(): Promise<LogWriter[]>
  /** Lists the instances that have lines with this request ID or trace ID. */
  listLogWritersOf(id: string): Promise<string[]>
  listLogLines(query: LineQuery): Promise<Pick<LogLine, 'number' | 'at' | 'text'>[]>
  /** Counts lines that are older than a time. */
  countLogLines(before: Date): Promise<number>
  /** Deletes the oldest lines: at most `limit`, and only those older than `before` if given. Returns their number. */
  deleteLogLines(limit: number, before?: Date): Promise<number>
}
