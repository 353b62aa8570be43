import type { ServiceClock } from './clock.js'
import type { DiaryStore } from './diary.js'
import type { FaultStore } from './faults.js'
import type { HomeInsightStore } from './home-insights.js'
import type { IdempotencyStore } from './idempotency.js'
import type { KeyStore } from './keys.js'
import type { LogLineStore } from './log-lines.js'
import type { UnitQueue } from './queue.js'
import type { TaskStore } from './tasks.js'
import type { LedgerEntry, UsageStore } from './usage.js'

/** The database port. Adapters implement it; no other code knows SQL. */

export interface Store
  extends ServiceClock,
    KeyStore,
    RateStore,
    TaskStore,
    UnitQueue,
    BreakerStore,
    UsageStore,
    FeedbackStore,
    IdempotencyStore,
    HomeInsightStore,
    DiaryStore,
    RequestStore,
    LogLineStore,
    MeasuredStore,
    SettingStore,
    FaultStore {
  readonly journal: Journal
  /** True if the database answers and the journal can be written. */
  isAlive(): Promise<boolean>
  /** True if this version can use the tables: another may have changed them since the start. */
  isCompatible(): Promise<boolean>
  /** Flushes the journal and closes the database, even if the flush fails. Rejects with `unavailable` if rows are lost. */
  close(): Promise<void>
}

/** Why a breaker opens. `refused`: the service does not accept our key. */
export type Trouble = 'down' | 'refused'

/**
 * The circuit breakers of the model services, shared by all processes. No unit of a provider is claimed while its breaker is
 * open. After that one unit is claimed at a time, until one succeeds.
 */
export interface BreakerStore {
  /**
   * Counts a failed call. Opens the breaker if `isEnough`, or if it was open before and no call has succeeded since; each
   * time for twice as long. Returns for how many milliseconds, or undefined if the breaker does not change.
   */
  failBreaker(provider: string, trouble: Trouble, isEnough: boolean): Promise<number | undefined>
  /** Closes the breakers. Returns true if any existed. */
  closeBreakers(providers: readonly string[]): Promise<boolean>
  /** Returns why the breaker of a provider is open, or undefined if it is not open. */
  findTrouble(provider: string): Promise<Trouble | undefined>
}

/** Feedback on a pose image. Source: gateway contract, 2.10. */
export interface Feedback {
  readonly objectKey: string
  readonly liked?: boolean
  readonly selected?: boolean
}

export interface FeedbackStore {
  /**
   * Merges field by field: an omitted field keeps its value. Saves all entries or none; returns the keys that are not pose
   * images of avatar tasks, which prevent it. Each key must occur once.
   */
  saveFeedback(feedback: readonly Feedback[], now: Date): Promise<readonly string[]>
  listFeedback(objectKeys: readonly string[]): Promise<Feedback[]>
}

/** One answered health-detail call. Holds keyed hashes only: no caller ID, no name, no text. */
export interface InsightRecord {
  readonly insightId: string
  readonly requestId: string
  readonly callId: string
  readonly keyId: string
  readonly userHash: string
  readonly petHash: string
  readonly metric: string
  readonly viewWindow: string
  readonly locale: string
  readonly status: string
  readonly ruleId: string
  readonly ruleVersion: string
  readonly factVersion: string
  readonly generatedAt: Date
}

/**
 * The append-only archive of health insights. Each record is also booked as usage. Rows are written in groups: a crash loses
 * the group that is not yet written, and a power loss those that are not on disk, 100 ms at most.
 */
export interface Journal {
  /**
   * Returns undefined if a record may be appended. While records wait longer than they may be lost for, returns a promise
   * that resolves when the disk has caught up, and rejects with `unavailable` if that takes too long.
   */
  findDelay(): Promise<void> | undefined
  /** Throws `unavailable` while the queue is full or the database does not accept rows, and after the disk has failed. */
  append(record: InsightRecord): void
  /** Resolves when all appended records are in the database. */
  flush(): Promise<void>
}

export interface RateGrant {
  /** Calls granted, 0 to `wanted`. */
  readonly granted: number
  /** Calls counted in the window, including the granted ones. */
  readonly counted: number
  /** The time at which the oldest counted call leaves the window, epoch milliseconds. */
  readonly oldestLeavesAt: number
}

export interface RateRequest {
  readonly keyId: string
  readonly limit: number
  readonly wanted: number
  /** The time until which granted calls may be used, epoch milliseconds. */
  readonly usedBy: number
  readonly now: number
  /** Unused calls of an earlier grant, with its `usedBy`. */
  readonly unused?: { readonly calls: number; readonly usedBy: number }
}

/** Counts the accepted calls of a key over the last 60 seconds, over all processes on one data directory. */
export interface RateStore {
  grantCalls(request: RateRequest): Promise<RateGrant>
}

/** The pet and the task that a logged call was about. */
export interface CallSubject {
  /** As stored: `hmac:…` where the ID itself is not kept. */
  readonly petId: string
  readonly taskId: string | undefined
}

export interface RequestStore {
  /**
   * Returns the pet that each call's usage was booked on and the task that the call created, by call ID. A call without
   * rows has no entry.
   */
  findSubjects(callIds: readonly string[]): Promise<ReadonlyMap<string, CallSubject>>
  /** Returns the pets of these tasks, by task ID. */
  findPets(taskIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Returns the paid calls of a task, in the order of its units and their attempts. */
  listLedger(taskId: string): Promise<LedgerEntry[]>
}

/** Values on which all processes of a database must agree. */
export interface SettingStore {
  /** Stores a value unless the name has one. Returns the stored value. */
  keepSetting(name: SettingName, value: string): Promise<string>
  findSetting(name: SettingName): Promise<string | undefined>
}

type SettingName = 'secret_fingerprint'

/** Numbers for operators. Their labels name routes, statuses and providers, never a caller, a pet or a task. */
export interface Measures {
  /** Counts an answered call. `route` is a path of the contract, not that of the call. */
  countCall(route: string, method: string, status: number, durationMs: number): void
  /** Counts an attempt of a unit that ended. */
  countUnit(provider: string, kind: string, outcome: string, durationMs: number): void
  /** Counts money that was booked; not `certain` if the response of the provider was lost. */
  countCost(provider: string, certain: boolean, micros: number): void
}

/** The unfinished units of a provider. */
export interface QueueMeasure {
  readonly provider: string
  /** At most 10,000: more are not counted. */
  readonly pending: number
  readonly inWork: number
  /** The time since the oldest unit was due; 0 if no unit is due. */
  readonly oldestDueMs: number
}

export interface PoolMeasure {
  readonly open: number
  readonly idle: number
  /** Queries that wait for a connection. */
  readonly waiting: number
}

export interface MeasuredStore {
  measureQueue(): Promise<{
    readonly queues: readonly QueueMeasure[]
    /** The breakers that were opened and not closed since. */
    readonly breakers: readonly { readonly provider: string; readonly isOpen: boolean }[]
  }>
  /** Returns undefined if the database is in this process. */
  measurePool(): PoolMeasure | undefined
  /** Returns the time since this process last reached the database; undefined if the database is in this process. */
  findHeartbeatAgeMs(): number | undefined
}

/** Pseudonyms for caller IDs that must not be stored. Equal IDs give equal hashes, but a user's differs from a pet's. */
export interface Pseudonyms {
  user(id: string): string
  pet(id: string): string
}
