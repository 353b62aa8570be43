/** What the program asks of the outside world. Adapters implement these; nobody else knows SQL. */
import type { BreakerStore } from './ports/breakers.js'
import type { DiaryStore } from './ports/diary.js'
import type { HomeInsightStore } from './ports/home-insights.js'
import type { Budget } from './ports/money.js'
import type { RequestStore } from './ports/requests.js'
import type { FeedbackStore, IdempotencyStore, TaskStore, UnitQueue, UsageStore } from './ports/tasks.js'

/** An API key as it is kept: everything but the key itself, of which only the SHA-256 exists. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key's text, hexadecimal. */
  readonly secretHash: string
  /** Endpoint groups the key may call; null means all, those of later versions included. */
  readonly endpoints: readonly string[] | null
  /** Model aliases the key may use; null means all. */
  readonly models: readonly string[] | null
  /** What the key may have generated: `image`, `video`, both or nothing. */
  readonly capabilities: readonly string[]
  /** Accepted calls in any 60 seconds; 0 is unlimited. */
  readonly rateLimit: number
  /** What pictures and clips may cost; null is unlimited. Keys that were rotated share it. */
  readonly budget: Budget | null
  /** Whether the key may read the gateway's own records. */
  readonly admin: boolean
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** ID of the key that this one was rotated from. */
  readonly replaces: string | null
}

export interface KeyStore {
  findKey(id: string): Promise<ApiKey | undefined>
  /** All keys, oldest first, revoked and expired ones included. */
  listKeys(): Promise<ApiKey[]>
  insertKey(key: ApiKey): Promise<void>
  /** Inserts the key if there is no other; answers whether it did. Two processes asking at once get one yes. */
  insertFirstKey(key: ApiKey): Promise<boolean>
  revokeKey(id: string, now: Date): Promise<void>
  /** Inserts `next` and lets `id` end at `endsAt` (or sooner, if it ends sooner already), both or neither. */
  replaceKey(id: string, endsAt: Date, next: ApiKey): Promise<void>
}

/** One answered health-detail call. Holds keyed hashes: no ID of the caller, no name, no text. */
export interface InsightRecord {
  readonly insightId: string
  readonly requestId: string
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
  readonly summaryHash: string
  readonly generatedAt: Date
}

/** One counted call. `petId` and `userId` are `hmac:…` where the contract forbids to keep the ID itself. */
export interface UsageRecord {
  readonly requestId: string
  readonly keyId: string
  readonly endpoint: string
  readonly userId: string
  readonly petId: string
  /** Whether an ID was missing and `temporary` stands for it. */
  readonly missingId: boolean
  readonly createdAt: Date
}

/**
 * The archive, which is only ever appended to. What is archived is booked as usage with it. Rows are written in groups: a
 * crash loses the group that was not written yet.
 */
export interface Journal {
  /** Throws `unavailable` while so many rows wait that the database must be out of order. */
  append(record: InsightRecord): void
  /** Resolves when all that was appended stands in the database. */
  flush(): Promise<void>
}

export interface RateGrant {
  /** Calls granted, 0 to `wanted`. */
  readonly granted: number
  /** Calls counted in the window, the granted ones included. */
  readonly counted: number
  /** When the oldest counted call leaves the window, epoch milliseconds. */
  readonly oldestLeavesAt: number
}

export interface RateRequest {
  readonly keyId: string
  readonly limit: number
  readonly wanted: number
  /** The latest moment at which a granted call may be used, epoch milliseconds. */
  readonly usedBy: number
  readonly now: number
  /** Calls of an earlier grant that were not used, with its `usedBy`. */
  readonly unused?: { readonly calls: number; readonly usedBy: number }
}

/** Counts accepted calls of a key over the last 60 seconds, for all processes on one data directory together. */
export interface RateStore {
  grantCalls(request: RateRequest): Promise<RateGrant>
}

export interface Store
  extends KeyStore,
    RateStore,
    TaskStore,
    UnitQueue,
    BreakerStore,
    UsageStore,
    FeedbackStore,
    IdempotencyStore,
    HomeInsightStore,
    DiaryStore,
    RequestStore {
  readonly journal: Journal
  /** Whether the database answers and the journal can be written. */
  isAlive(): Promise<boolean>
  /** Writes what waits and closes the database, in any case. Throws `unavailable` if something could not be written. */
  close(): Promise<void>
}

/** Stands for a caller's IDs where they must not be kept. The same ID gives the same hash, of a user never that of a pet. */
export interface Pseudonyms {
  user(id: string): string
  pet(id: string): string
}
