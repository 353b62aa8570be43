import type { Owner, Page } from './tasks.js'

/** One counted call. */
export interface UsageRecord {
  readonly requestId: string
  readonly callId: string
  readonly keyId: string
  readonly endpoint: string
  readonly owner: Owner
  readonly createdAt: Date
}

/** One paid, or possibly paid, call of a provider. Unique per unit and claim; a delivered result counts once per unit. */
export interface LedgerEntry {
  readonly model: string
  readonly quantity: number
  readonly unit: 'image' | 'clip'
  /** Price at the time of the call, in millionths of a US dollar. */
  readonly costMicros: number
  /** False if the response was lost: the call may have been paid. */
  readonly certain: boolean
  /** True if an earlier call for the same unit may have been paid too. */
  readonly maybeDuplicate: boolean
}

export type UsageGroup = 'pet' | 'user' | 'key' | 'model' | 'day'

export interface UsageFilter {
  /** Only usage with, or without, an ID that the caller omitted. */
  readonly isMissingId?: boolean | undefined
  /** First and last day, `YYYY-MM-DD`, UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A sum of usage. A field that differs within the sum is null. Source: gateway contract, 1. */
export interface UsageSum {
  readonly petId: string | null
  readonly userId: string | null
  readonly keyId: string | null
  readonly model: string | null
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string | null
  /** IDs that callers omitted in any summed row. */
  readonly missing: Owner['missing']
  readonly requests: number
  /** Delivered pictures and clips. */
  readonly units: number
  readonly costMicros: number
  /** The part of the cost that may not have been paid. */
  readonly maybeCostMicros: number
}

/** A model call outside of any task, with its own ID. */
export interface SoleCall {
  readonly id: string
  /** Stored in place of the key, the pet and the user. */
  readonly maker: string
  readonly usage: LedgerEntry
  readonly isDelivered: boolean
  readonly at: Date
}

export interface UsageStore {
  bookCall(call: SoleCall): Promise<void>
  /**
   * Sums the usage of days that are over, for reports, unless a process has done it. On PostgreSQL only: the rows of a folder
   * are summed in a thread.
   */
  sumPastDays(): Promise<void>
  /** Sums usage by pet, user, key or model, highest cost first, or by day, latest first. `page` counts from 1. */
  sumUsage(by: UsageGroup, filter: UsageFilter, page: number, pageSize: number): Promise<Page<UsageSum>>
}
