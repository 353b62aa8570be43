import type { LoggedRequest } from '../contract/requests.js'

/** The line of a call: what `/_svc/requests` shows of it, and more. Holds no body, no ID or name from a body, and no key. */
export interface RequestEntry extends Omit<LoggedRequest, 'pet_id' | 'task_id'> {
  /** Unique per call, and stored in the rows that the call created. Absent for reads, refused calls and in old lines. */
  readonly call_id?: string | undefined
  readonly key_id?: string | undefined
  /** The rules that the body breaks, never its values. */
  readonly violations?: readonly RuleHit[] | undefined
  readonly warnings?: readonly RuleHit[] | undefined
  readonly error?: unknown
}

/** A call with what the log leaves out, for a program that judges its client. */
export interface SeenCall {
  readonly entry: RequestEntry
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number
  readonly endedAt: number
  /** The path as the contract writes it. */
  readonly target: string
  readonly search: string
  readonly sent: Headers
  readonly headers: Readonly<Record<string, string>>
  /** Equal for calls that create the same. */
  readonly fingerprint: string | undefined
  readonly body: unknown
  /** Set if the response was not sent as it is. */
  readonly isBroken: boolean
}

export interface RuleHit {
  readonly rule: string
  /** JSON Pointer. */
  readonly path: string
  /** Words of the schema for the values that it accepts. */
  readonly expected?: string | undefined
  /** The kind of the value that was there, such as `a string` or `missing`. */
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

/** One line a process: a proxy has passed on a request, and the operator has not named the address that callers use. */
export interface ProxyNotice {
  readonly time: string
  readonly event: 'public_url_missing'
  readonly detail: string
}

export type LogEntry = RequestEntry | TaskEntry | ProviderNotice | ProxyNotice

/** Lines are written in groups: a process that is killed loses those of the last 100 ms. */
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

/** Returns the log, which passes each entry of a call on as well. */
export function watchCalls(log: RequestLog, onCall: (call: RequestEntry) => void): RequestLog {
  return {
    ...log,
    write(entry) {
      log.write(entry)
      if ('status' in entry) onCall(entry)
    },
  }
}
