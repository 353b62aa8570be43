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
