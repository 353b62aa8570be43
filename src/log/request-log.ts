/** One line of the request log. Holds no body, no ID or name from a body, and no key. */
export interface RequestEntry {
  readonly time: string
  readonly request_id: string
  /** The X-Request-ID that the caller sent, shortened, if it could not be used. */
  readonly caller_request_id?: string | undefined
  /** Unique per call, and stored in the rows that the call created. Absent for reads, refused calls and in old lines. */
  readonly call_id?: string | undefined
  /** The trace of the caller, if it sent one as `traceparent`, or of our own span. */
  readonly trace_id?: string | undefined
  readonly method: string
  readonly path: string
  readonly status: number
  readonly duration_ms: number
  readonly key_id?: string | undefined
  readonly key_name?: string | undefined
  /** The process that answered, if its lines are not in a file of its own. */
  readonly instance?: string | undefined
  /** The rules that the body breaks, never its values. */
  readonly violations?: readonly RuleHit[] | undefined
  readonly warnings?: readonly RuleHit[] | undefined
  /** The fault rule that changed the answer. */
  readonly fault?: string | undefined
  readonly error?: unknown
}

export interface RuleHit {
  readonly rule: string
  /** JSON Pointer. */
  readonly path: string
  /** Words of the schema for the values that it accepts. */
  readonly expected?: string | undefined
  /** The kind of the value that was there, such as `a text` or `missing`. */
  readonly found?: string | undefined
}

/** One line about a unit. Holds no content of the task. */
export interface TaskEntry {
  readonly time: string
  readonly event:
    | 'started'
    | 'succeeded'
    | 'failed'
    | 'retrying'
    | 'postponed'
    | 'released'
    | 'lost'
    | 'claim_failed'
    | 'deletions_failed'
    | 'breaker_opened'
    | 'breaker_closed'
  /** For breaker events only. */
  readonly provider?: string
  /** Absent from events that are not about a unit. */
  readonly task_id?: string
  /** Request ID of the call that created the task. */
  readonly request_id?: string
  /** The trace of the call that created the task. */
  readonly trace_id?: string
  readonly unit?: string
  readonly attempt?: number
  readonly duration_ms?: number
  readonly code?: string
  /** The delay of the next attempt, or the time that a breaker stays open. */
  readonly delay_ms?: number
  /** The fault rule that the unit met. */
  readonly fault?: string
  readonly error?: unknown
}

/** One line about an unexpected answer of a model service that does not fail the unit. Holds no key, URL or prompt. */
export interface ProviderNotice {
  readonly time: string
  readonly event: 'provider_warning'
  /** The provider's label. */
  readonly provider: string
  readonly task_id: string
  readonly detail: string
}

export type LogEntry = RequestEntry | TaskEntry | ProviderNotice

/** The log as its writers see it. Lines are written in groups: a crash loses those of the last 100 ms. */
export interface RequestLog {
  write(entry: LogEntry): void
  /**
   * Writes the waiting lines now, so that readers see them. Resolves also if that fails or if lines of a long backlog are left:
   * they are written later.
   */
  flush(): Promise<void>
  /** Flushes and closes the log. Rejects with `unavailable` if lines are lost. */
  close(): Promise<void>
}

/** The log as its readers see it: the lines of all processes, merged by time. Rejects with `unavailable` or `not_found`. */
export interface LogReader {
  /** Reads the lines after a cursor, the oldest first; without a cursor, all lines. */
  scanForward<T extends TimedEntry>(cursor: string | undefined, filter: EntryFilter<T>): LogScan<T>
  /** Reads from the end, the newest first. */
  scanBackward<T extends TimedEntry>(filter: EntryFilter<T>): LogScan<T>
}

export interface LogScan<T> {
  /** Returns the next entries; fewer than `limit` at the end. */
  next(limit: number): Promise<T[]>
  /**
   * Returns the cursor after the entries read so far; of a backward scan, the cursor after its first entry. Called after
   * the first `next`.
   */
  cursor(): string
}

export interface TimedEntry {
  readonly time: string
}

export interface EntryFilter<T> {
  readonly match?: LineMatch | undefined
  /** Returns the entry of a line, or undefined if it does not match. May get lines that `match` excludes. */
  readonly parse: (line: string) => T | undefined
}

/** A condition for which the log need not parse its lines. */
export interface LineMatch {
  /** A request ID, of the answer or as it was sent, or a trace ID. */
  readonly id?: string | undefined
  readonly status?: number | undefined
}
