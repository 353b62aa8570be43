import type { ClaimedUnit } from '../ports/queue.js'
import type { UnitOutput } from '../ports/tasks.js'
import type { LedgerEntry } from '../ports/usage.js'

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
