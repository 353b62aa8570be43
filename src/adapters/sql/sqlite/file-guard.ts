import { SvcError } from '../../../errors.js'
import type { RetryWhileBusy } from '../database.js'
import { findFileNumber } from './file-number.js'

const lookEveryMs = 1000

const movedMessage =
  'The database file was removed or replaced while the service runs. Put it back, or restart the service.'

export interface FileGuard {
  /** Throws `unavailable` if the file was removed or replaced. */
  requireFile(): void
  /** Runs work on the database unless the file was removed or replaced, looking once a second. */
  protect(retryWhileBusy: RetryWhileBusy): RetryWhileBusy
}

/**
 * Guards against a database file that was removed or replaced: SQLite keeps writing to the former file, which has no name
 * any more. Calls `report` each time the file turns out to be gone.
 */
export function createFileGuard(
  file: string,
  report: (message: string) => void = () => {},
  now: () => number = () => performance.now(),
): FileGuard {
  const number = findFileNumber(file)
  let isGone = false
  let lookAgainAt = 0

  function requireFile(): void {
    const wasGone = isGone
    isGone = findFileNumber(file) !== number
    lookAgainAt = now() + lookEveryMs
    if (isGone && !wasGone) report(movedMessage)
    if (isGone) throw new SvcError('unavailable', movedMessage)
  }

  return {
    requireFile,
    protect: (retryWhileBusy) => async (work) => {
      if (isGone || now() >= lookAgainAt) requireFile()
      return retryWhileBusy(work)
    },
  }
}
