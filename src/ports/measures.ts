/** Numbers for operators. Their labels name routes, statuses and providers, never a caller, a pet or a task. */
export interface Measures {
  /** Counts an answered call. `route` is a path of the contract, not that of the call. */
  countCall(route: string, method: string, status: number, durationMs: number): void
  /** Counts an attempt of a unit that ended. */
  countUnit(provider: string, kind: string, outcome: string, durationMs: number): void
  /** Counts money that was booked; not `certain` if the answer of the provider was lost. */
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
