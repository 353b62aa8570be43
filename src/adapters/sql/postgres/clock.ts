/** The database's time, on which processes agree whose own clocks differ. */
export interface DatabaseClock {
  /** Epoch milliseconds. */
  now(): number
  /** Adjusts the clock by the database's time that a query returned, which was sent at `sentAt` on the monotonic clock. */
  adjust(databaseNow: number, sentAt: number): void
}

/** A sample that took longer is too vague, unless it is the first. */
const roundTripMsAtMost = 1000

/** Counts on from the last sample by a monotonic clock. */
export function createDatabaseClock(elapsed: () => number = () => performance.now()): DatabaseClock {
  let offset: number | undefined
  return {
    now: () => Math.floor(elapsed() + (offset ?? Date.now() - elapsed())),
    adjust(databaseNow, sentAt) {
      const receivedAt = elapsed()
      if (offset !== undefined && receivedAt - sentAt > roundTripMsAtMost) return
      offset = databaseNow - (sentAt + receivedAt) / 2
    },
  }
}
