import type { ClaimedUnit, LedgerEntry, UnitOutput } from '../ports/tasks.js'

export interface RunContext {
  /** Aborted when the lease is lost, the deadline passes or the worker ends. */
  readonly signal: AbortSignal
  /** Keeps what is done and paid for the next attempt, which finds it in `unit.memo`. Throws when the lease is lost. */
  saveMemo(memo: unknown): Promise<void>
  /** What was bought cannot be stored for now; it is tried again after `delayMs`. */
  onUnstored(error: unknown, delayMs: number): void
  /** 0 to 1. */
  onProgress(fraction: number): void
}

export interface RunResult {
  readonly output: UnitOutput
  /** The call that was paid for it, here or by an earlier attempt. */
  readonly usage: LedgerEntry | null
}

/** Something was bought, but could not be stored: `cause` says why. */
export class UnstoredResult extends Error {
  override readonly name = 'UnstoredResult'
  readonly usage: LedgerEntry

  constructor(usage: LedgerEntry, cause: unknown) {
    super('What was bought could not be stored.', { cause })
    this.usage = usage
  }
}

/**
 * Does the work of one unit. Throws `ProviderError` for what the caller of the task is to see, also inside an
 * `UnstoredResult`.
 */
export type UnitRunner = (unit: ClaimedUnit, context: RunContext) => Promise<RunResult>
