import { SvcError } from '../../../errors.js'
import type { RunWork } from '../database.js'
import { findFileNumber } from './file-number.js'

const lookEveryMs = 1000

/** Commits are in the write-ahead log until a checkpoint. Its file stays as long as the database is open. */
const suffixes = ['', '-wal']

const movedMessage =
  'The database file, or its -wal file, was removed or replaced while the service runs. Put it back, or restart the service.'

export interface FileGuard {
  /** Throws `unavailable` if one of its files was removed or replaced. */
  requireFile(): void
  /** Runs work on the database unless one of its files was removed or replaced, looking once a second. */
  protect(run: RunWork): RunWork
}

/**
 * Guards an open database against the removal or replacement of its files: SQLite keeps writing to the former file, which
 * has no name any more. Calls `report` each time a file turns out to be gone.
 */
export function createFileGuard(
  file: string,
  report: (message: string) => void = () => {},
  now: () => number = () => performance.now(),
): FileGuard {
  const findNumbers = () => suffixes.map((suffix) => findFileNumber(file + suffix)).join()
  const numbers = findNumbers()
  let isGone = false
  let lookAgainAt = 0

  function requireFile(): void {
    const wasGone = isGone
    isGone = findNumbers() !== numbers
    lookAgainAt = now() + lookEveryMs
    if (isGone && !wasGone) report(movedMessage)
    if (isGone) throw new SvcError('unavailable', movedMessage)
  }

  return {
    requireFile,
    protect: (run) => async (work) => {
      if (isGone || now() >= lookAgainAt) requireFile()
      return run(work)
    },
  }
}
