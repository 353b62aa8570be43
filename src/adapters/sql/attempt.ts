import { setTimeout as delay } from 'node:timers/promises'
import { SvcError } from '../../errors.js'

/** How long a write waits for another process to let go of the database. */
const lockWaitMs = 2000
const delayMsAtLeast = 5
const delayMsAtMost = 50

/** What a caller can do nothing about, and what may be over by the next call. */
const outOfOrder = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM)/

/** Runs work on the database as often as it takes to get the write lock. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T>

/**
 * SQLite waits for a lock on the thread that asks, and with it all other calls; so it is told not to wait, and asked again.
 * Throws `unavailable` if the lock is not to be had in time, the disk is full, or the file cannot be read or written.
 */
export function createAttempt(waitMs = lockWaitMs): Attempt {
  return async (work) => {
    const giveUpAt = performance.now() + waitMs
    for (let delayMs = delayMsAtLeast; ; delayMs = Math.min(delayMs * 2, delayMsAtMost)) {
      try {
        return await work()
      } catch (error) {
        if (!codeOf(error).startsWith('SQLITE_BUSY') || performance.now() >= giveUpAt) throw toSvcError(error)
      }
      await delay(delayMs)
    }
  }
}

function toSvcError(error: unknown): unknown {
  if (!outOfOrder.test(codeOf(error))) return error
  return new SvcError('unavailable', 'The service cannot use its database at the moment. Try again later.', {
    cause: error,
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
