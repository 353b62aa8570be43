import { setTimeout as delay } from 'node:timers/promises'
import { SvcError } from '../../errors.js'

/** How long a write waits for another process to let go of the database. */
const lockWaitMs = 2000
const delayMsAtLeast = 5
const delayMsAtMost = 50

/** What a caller can do nothing about, and what may be over by the next call. */
const outOfOrder = /^SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|IOERR|READONLY|CANTOPEN|NOMEM)/
/**
 * Another process keeps readers out of the write-ahead log. SQLite waits ten seconds before it says so, on the thread that
 * asks, and cannot be told not to.
 */
const keptOut = 'SQLITE_PROTOCOL'

/** Runs work on the database as often as it takes to get the write lock. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T>

/** Reads something on a thread of its own, where it holds up nobody. */
export type Look = () => Promise<unknown>

/**
 * SQLite waits for a lock on the thread that asks, and with it all other calls; so it is told not to wait, and asked again.
 * Throws `unavailable` if the lock is not to be had in time, the disk is full, or the file cannot be read or written.
 * Where readers are kept out, that is said at once from then on, until `look` finds that they are not.
 */
export function createAttempt(waitMs = lockWaitMs, look?: Look): Attempt {
  let refusal: unknown
  let isLooking = false

  /** What is no answer of SQLite leaves it to the next call to find out. */
  async function lookAgain(look: Look): Promise<void> {
    if (isLooking) return
    isLooking = true
    const fault = await look().then(
      () => undefined,
      (error) => error,
    )
    if (!codeOf(fault).startsWith('SQLITE_')) refusal = undefined
    isLooking = false
  }

  return async (work) => {
    if (refusal !== undefined && look !== undefined) {
      void lookAgain(look)
      throw toSvcError(refusal)
    }
    const giveUpAt = performance.now() + waitMs
    for (let delayMs = delayMsAtLeast; ; delayMs = Math.min(delayMs * 2, delayMsAtMost)) {
      try {
        return await work()
      } catch (error) {
        if (codeOf(error) === keptOut) refusal = error
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
