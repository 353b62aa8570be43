/** Faults on demand: rules that make calls and units fail, for tests of clients. */

import type { ClaimedUnit } from './queue.js'

/** The calls or units that a rule applies to. Every member that is given must fit. */
export interface FaultMatch {
  /** Such as `POST /v1/pet-avatar/generate`. Without a method, any method. */
  readonly route?: string
  /** The API key of the caller: its ID or name. */
  readonly caller?: string
  readonly user?: string
  readonly pet?: string
  readonly task?: string
  readonly scene?: string
  readonly pose?: string
  /** Model alias. */
  readonly alias?: string
}

/** The effect of a rule on a call. `wait` has no effect but the delay of the rule. */
export type CallEffect =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'wait' }
  | { readonly kind: 'stall'; readonly ms: number }
  | { readonly kind: 'drop'; readonly when: 'before' | 'during' | 'after' }
  | { readonly kind: 'body'; readonly how: 'cut' | 'malformed' }
  /** With `pet`, only in the records of this pet. */
  | { readonly kind: 'address'; readonly how: 'expired' | 'broken'; readonly pet?: string }

/** The effect of a rule on a unit. */
export type UnitEffect =
  | { readonly kind: 'code'; readonly code: string }
  /** The first attempts fail and are retried. */
  | { readonly kind: 'retries'; readonly attempts: number; readonly code: string }
  | { readonly kind: 'wait' }
  | { readonly kind: 'never-ends' }
  | { readonly kind: 'only'; readonly format: 'webp' | 'mp4' }

/** The fault of a call. */
export interface CallFault {
  /** ID of the rule, or of the pet whose ID is the rule. */
  readonly id: string
  readonly effect: CallEffect
  /** Before the call is answered. */
  readonly delayMs: number
  /** True if replayed answers are spared, so that a retry with the same Idempotency-Key gets its response. */
  readonly sparesReplays?: boolean
}

/** The fault of a unit. */
export interface UnitFault {
  readonly id: string
  readonly effect: UnitEffect
  /** Before the unit is made. */
  readonly delayMs: number
}

/** A call, as far as rules look at it. */
export interface FaultCall {
  /** Such as `POST /v1/pet-avatar/generate`. */
  readonly route: string
  readonly key?: { readonly id: string; readonly name: string } | undefined
  readonly aliases: readonly string[]
  readonly input: FaultInput
  /** Adds a warning to the log entry of the call. */
  readonly warn: (warning: { readonly rule: string; readonly path: string; readonly expected: string }) => void
}

/** The checked input of a call. */
export interface FaultInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/** The faults of calls, as the server sees them. Absent in production. */
export interface CallFaults {
  /** Aborted when the process ends: calls that a rule delays are given up. */
  readonly closing: AbortSignal
  /** True if a call may have a fault. Costs nothing while there are no rules. */
  mayApply(input: FaultInput): boolean
  /** Finds the fault of a call, and counts it. */
  findForCall(call: FaultCall): Promise<CallFault | undefined>
  /** Finds the fault of the addresses in a response, by the pet in it. */
  findForAnswer(body: unknown): Promise<CallFault | undefined> | undefined
}

/** The faults of units, as the worker sees them. Absent in production. */
export interface UnitFaults {
  /** Finds the fault of a unit, and counts the unit once for all its attempts. */
  findForUnit(unit: ClaimedUnit): Promise<UnitFault | undefined>
}

/** A rule as stored: its fields in the form of the command line, and what it has done. */
export interface StoredFault {
  readonly id: string
  readonly fields: Readonly<Record<string, string>>
  readonly createdAt: Date
  /** Null if the rule does not expire. */
  readonly expiresAt: Date | null
  /** The rule fires this many times; null for any number. */
  readonly times: number | null
  /** The rule fires at every Nth match. */
  readonly every: number
  readonly matched: number
  readonly fired: number
}

export type NewFault = Omit<StoredFault, 'matched' | 'fired'>

export interface FaultStore {
  /** Lists the rules, the oldest first. */
  listFaults(): Promise<StoredFault[]>
  /** Counts the rules that may fire at this time, epoch milliseconds: neither expired nor spent. */
  countActiveFaults(now: number): Promise<number>
  insertFault(rule: NewFault): Promise<void>
  /** Returns true if the rule existed. */
  deleteFault(id: string): Promise<boolean>
  /** Deletes all rules. Returns their number. */
  clearFaults(): Promise<number>
  /** Counts a match. Returns true if the rule fires: exactly `times` times, over all processes. */
  countFault(id: string): Promise<boolean>
  /**
   * Returns the rule of a unit: the one that took it before, or else the first of `ids` that fires. A unit is counted once,
   * in the transaction that gives it the rule, so a crash neither repeats nor loses a count.
   */
  takeUnitFault(unitId: string, ids: readonly string[]): Promise<string | undefined>
  /** Returns the rule that took a unit before. */
  findUnitFault(unitId: string): Promise<string | undefined>
}
