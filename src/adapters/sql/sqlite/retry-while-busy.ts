import { setTimeout as delay } from 'node:timers/promises'
import { SvcError } from '../../../errors.js'
import { codeOf } from '../../../runtime/reason.js'
import type { RunWork } from '../database.js'

/** The maximum time that a write waits for another process to release its lock. */
const lockWaitMs = 2000
const delayMsAtLeast = 5
const delayMsAtMost = 50

/** Errors that the caller cannot fix, and that may be over by the next call. */
const unavailable = /^SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|IOERR|READONLY|CANTOPEN|NOMEM)/
/**
 * Another process has locked the write-ahead log against readers. SQLite blocks the calling thread for ten seconds before
 * it throws this, and that wait cannot be configured.
 */
const readersLockedOut = 'SQLITE_PROTOCOL'

/** Reads from the database on a separate thread, where it blocks no call. */
export type Probe = () => Promise<unknown>

/**
 * SQLite would wait for a lock on the calling thread and block all other calls, so it is set not to wait, and retried here.
 * Rejects with `unavailable` if the lock is not free in time, the disk is full, or the file cannot be read or written.
 * After readers were locked out, rejects immediately until `probe` succeeds.
 */
export function createRetryWhileBusy(waitMs = lockWaitMs, probe?: Probe): RunWork {
  let refusal: unknown
  let isProbing = false

  /** An error that is not from SQLite proves nothing: the next call finds out. */
  async function probeAgain(probe: Probe): Promise<void> {
    if (isProbing) return
    isProbing = true
    const error = await probe().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!codeOf(error).startsWith('SQLITE_')) refusal = undefined
    isProbing = false
  }

  return async (work) => {
    if (refusal !== undefined && probe !== undefined) {
      void probeAgain(probe)
      throw toSvcError(refusal)
    }
    const giveUpAt = performance.now() + waitMs
    for (let delayMs = delayMsAtLeast; ; delayMs = Math.min(delayMs * 2, delayMsAtMost)) {
      try {
        return await work()
      } catch (error) {
        if (codeOf(error) === readersLockedOut) refusal = error
        if (!codeOf(error).startsWith('SQLITE_BUSY') || performance.now() >= giveUpAt) throw toSvcError(error)
      }
      await delay(delayMs)
    }
  }
}

function toSvcError(error: unknown): unknown {
  if (!unavailable.test(codeOf(error))) return error
  return new SvcError('unavailable', 'The service cannot use its database at the moment. Try again later.', {
    cause: error,
  })
}
