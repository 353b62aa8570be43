import { describeError } from '../log/redact.js'
import type { RequestLog, TaskEntry } from '../log/request-log.js'
import type { ServiceClock } from '../ports/clock.js'
import type { UnitFault, UnitFaults } from '../ports/faults.js'
import type { ClaimedUnit, UnitQueue } from '../ports/queue.js'
import type { Measures } from '../ports/store.js'
import type { UnitKind, UnitOutput } from '../ports/tasks.js'
import { findTraceId, type Tracing } from '../ports/tracing.js'
import type { LedgerEntry } from '../ports/usage.js'
import type { FailureCounts } from './retry.js'

export interface AttemptOptions {
  readonly store: UnitQueue & Pick<ServiceClock, 'now'>
  readonly log: TaskLog
  readonly measures?: Measures | undefined
  readonly tracing?: Tracing | undefined
  /** Absent in production. */
  readonly faults?: UnitFaults | undefined
  readonly runners: Readonly<Record<UnitKind, UnitRunner>>
  readonly leaseMs: number
  /** The maximum delay between two attempts of a unit. */
  readonly backoffMsAtMost?: number | undefined
  /** Epoch milliseconds; the clock of the store. */
  readonly now: () => number
}

/** The reason that an attempt is stopped from outside, and of its aborted signal. */
export type StopReason = 'lost' | 'released' | 'deadline'

/** A running attempt of a unit. */
export interface UnitAttempt {
  readonly unit: ClaimedUnit
  readonly options: AttemptOptions
  readonly controller: AbortController
  readonly log: ReturnType<typeof createUnitLog>
  readonly failures: FailureCounts
  /** The runner's state for the next attempt. */
  memo: unknown
  /** The rule that the unit met. */
  fault?: UnitFault | undefined
  /** True after the unit is lost or released, even after its deadline: the signal keeps only its first reason. */
  isOver: boolean
}

/** Reads a unit's memo: the runner's memo, and the failures of earlier attempts. */
export function readMemo(memo: unknown): { readonly failures: FailureCounts; readonly memo: unknown } {
  return memo === null ? { failures: {}, memo: null } : (memo as ReturnType<typeof readMemo>)
}

export function stopAttempt(attempt: UnitAttempt, reason: StopReason): void {
  if (reason !== 'deadline') attempt.isOver = true
  attempt.controller.abort(reason)
}

/** Thrown for a runner that does not stop after its signal is aborted. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned'
}

export type TaskLog = Pick<RequestLog, 'write'>

/** Creates a function that logs and counts the events of one unit, with its rule. Durations count from this call. */
export function createUnitLog(
  { log, measures, now }: Pick<AttemptOptions, 'log' | 'measures' | 'now'>,
  { task, name, attempt }: ClaimedUnit,
  findFault: () => string | undefined,
) {
  const startedAt = performance.now()
  return (event: TaskEntry['event'], details: Pick<TaskEntry, 'code' | 'delay_ms' | 'error'> = {}): void => {
    const isStart = event === 'started'
    const fault = findFault()
    const durationMs = performance.now() - startedAt
    if (!isStart) measures?.countUnit(task.provider, task.kind, event, durationMs)
    log.write({
      time: new Date(now()).toISOString(),
      event,
      task_id: task.id,
      request_id: task.requestId,
      ...(task.traceparent === undefined ? {} : { trace_id: findTraceId(task.traceparent) }),
      unit: name,
      attempt,
      ...(isStart ? {} : { duration_ms: Math.round(durationMs) }),
      ...details,
      ...(fault === undefined ? {} : { fault }),
      ...(details.error === undefined ? {} : { error: describeError(details.error) }),
    })
  }
}

export interface RunContext {
  /** Aborted when the lease is lost, the deadline passes or the worker ends. */
  readonly signal: AbortSignal
  /** Returns the time until the deadline. */
  leftMs(): number
  /** The position of the unit in a trace. */
  readonly traceparent?: string | undefined
  /** The only file that a clip may have: the fault of a rule. */
  readonly only?: 'webp' | 'mp4' | undefined
  /** Saves what is done and paid for the next attempt, as its `unit.memo`. Rejects if the lease is lost. */
  saveMemo(memo: unknown): Promise<void>
  /** True if the unit was ended by another process: the files of its result belong to no task. */
  isGone(): Promise<boolean>
  /** Called when a bought result cannot be stored; it is retried after `delayMs`. */
  onUnstored(error: unknown, delayMs: number): void
}

export interface RunResult {
  readonly output: UnitOutput
  /** The paid call, of this or an earlier attempt. */
  readonly usage: LedgerEntry | null
}

/** Thrown if a bought result could not be stored; `cause` is the reason. */
export class UnstoredResult extends Error {
  override readonly name = 'UnstoredResult'
  readonly usage: LedgerEntry

  constructor(usage: LedgerEntry, cause: unknown) {
    super('The bought result could not be stored.', { cause })
    this.usage = usage
  }
}

/** Thrown if the unit is to be made later. Nothing was bought. */
export class Postponed extends Error {
  override readonly name = 'Postponed'
  readonly delayMs: number

  constructor(delayMs: number) {
    super('A fault rule makes this unit later.')
    this.delayMs = delayMs
  }
}

/**
 * Runs one unit. Rejects with `ProviderError`, possibly inside an `UnstoredResult`, for failures that the task's caller sees.
 */
export type UnitRunner = (unit: ClaimedUnit, context: RunContext) => Promise<RunResult>
