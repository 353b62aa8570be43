/** The lines of the request log as rows of a table, which all processes of a service share. */

export interface LogLine {
  /** The process that wrote it. */
  readonly instance: string
  /** Counts the lines of the instance from 1. */
  readonly number: number
  /** A `LogEntry` as JSON. The store reads what is searched from it. */
  readonly text: string
}

/** IDs of lines, both included. In an empty range, `last` is before `first`. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

export interface LineQuery extends LineRange {
  readonly kind: 'call' | 'event'
  /** A request ID, of the response or as it was sent, or a trace ID. */
  readonly id?: string | undefined
  readonly status?: number | undefined
  readonly since?: Date | undefined
  readonly newestFirst: boolean
  readonly limit: number
}

/** Lines get rising IDs, and no line appears before one that is there already: a reader may go on after the last ID. */
export interface LogLineStore {
  /** Appends lines in one commit. A caller may repeat an append whose response was lost. */
  appendLogLines(lines: readonly LogLine[]): Promise<void>
  /** Returns the range of the stored lines. */
  findLogRange(): Promise<LineRange>
  /** Lists lines in the order of their IDs. */
  listLogLines(query: LineQuery): Promise<readonly { readonly id: number; readonly text: string }[]>
  /** Returns the range of the oldest lines, which exceed `linesAtMost` or another bound of the log. */
  findLogExcess(linesAtMost: number): Promise<LineRange>
  deleteLogLines(range: LineRange): Promise<void>
}
