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
  readonly summaryHash: string
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
