import type { Task, TaskStatus, UnitFailure, UnitKind, UnitOutput, UnitView } from './tasks.js'
import type { LedgerEntry } from './usage.js'

/**
 * A unit leased by one worker. Writes under its lease fail after the lease is lost: its holder is gone, or has not renewed it
 * in time, or the unit's deadline has passed with it.
 */
export interface ClaimedUnit {
  readonly id: string
  readonly name: string
  readonly task: Task & { readonly kind: UnitKind }
  /** Counts from 1. An attempt that a crash or a shutdown interrupted does not count. */
  readonly attempt: number
  /** Fencing token. */
  readonly lease: string
  /** The state that an earlier attempt saved: what is already done and paid. JSON. */
  readonly memo: unknown
  readonly deadlineAt: Date
}

export type UnitOutcome =
  | { readonly status: 'success'; readonly output: UnitOutput; readonly usage: LedgerEntry | null }
  | { readonly status: 'failed'; readonly failure: UnitFailure; readonly usage: LedgerEntry | null }

export interface Retry {
  readonly delayMs: number
  readonly memo: unknown
  /** The failed call, if it may have been paid. */
  readonly usage: LedgerEntry | null
}

/** Derives the status of a task from its units. Pure. */
export type Settle = (units: readonly UnitView[]) => TaskStatus

/** A process that claims units. When the process ends, even by a crash, other processes take over its units. */
export interface Holder {
  readonly id: string
  close(): Promise<void>
}

/** The units that a holder asks for. */
export interface Claim {
  readonly holderId: string
  readonly limit: number
  readonly leaseMs: number
  /**
   * Units of a provider in work at once, over all processes, which share them. Of a provider without an entry, only units
   * past their deadline are claimed.
   */
  readonly slots: Readonly<Record<string, number>>
  /**
   * The same for providers that work in the process of the holder: units in work of this holder. Units of awaited tasks may
   * have `awaitedSlots` in addition.
   */
  readonly ownSlots?: Readonly<Record<string, number>>
}

/** The slots for units whose task a caller waits for, in addition: such a unit does not wait until a clip is drawn. */
export const awaitedSlots = 2

export interface UnitQueue {
  /** `models` is a hash of the models that the process uses. */
  openHolder(models?: string): Promise<Holder>
  /** Counts the other processes that use other models. */
  countOtherModels(models: string): Promise<number>
  /** True if other processes have holders. */
  hasOtherHolders(): Promise<boolean>
  /** Counts unfinished units by the label of their provider. */
  countQueued(): Promise<ReadonlyMap<string, number>>
  /**
   * Leases units that are due or whose holder is gone: up to `limit`, and per provider up to its free slots and its breaker's
   * limit. Their tasks become `processing`. A unit past its deadline needs no slot: it only has to be settled.
   */
  claimUnits(claim: Claim): Promise<ClaimedUnit[]>
  /** Extends the leases. Returns those that are still held. */
  renewLeases(leases: readonly string[], leaseMs: number): Promise<string[]>
  /** Like `settleUnit` and `retryUnit`: returns false and writes nothing if the lease is lost. */
  saveMemo(lease: string, memo: unknown): Promise<boolean>
  settleUnit(lease: string, outcome: UnitOutcome, settle: Settle): Promise<boolean>
  retryUnit(lease: string, retry: Retry): Promise<boolean>
  /**
   * Ends the unfinished units of a task, also those that others have leased: their leases are lost. Returns what their attempts had saved.
   */
  endUnits(taskId: string, toOutcome: (task: Task, memo: unknown) => UnitOutcome, settle: Settle): Promise<unknown[]>
  /** True if a unit has failed or does not exist any more: no task names a file of it. */
  isUnitGone(id: string): Promise<boolean>
  /** Returns units to the queue: due at once, and the attempt does not count. */
  releaseUnits(leases: readonly string[]): Promise<void>
  /**
   * Returns the milliseconds until a unit of these providers is due, or until any unit's lease or deadline expires;
   * undefined if no unit is unfinished.
   */
  findNextDueMs(providers: readonly string[]): Promise<number | undefined>
}
