import { type ExclusiveLock, lockExclusively } from '../../adapters/sql/upkeep/exclusive-lock.js'
import { SvcError } from '../../errors.js'
import { type DataDir, withPathInError } from '../../runtime/data-dir.js'

/** Locks a data directory exclusively. Throws `conflict` if a server or another command uses it. */
export function requireExclusiveLock({ path, database, workers }: DataDir): ExclusiveLock {
  const hold = withPathInError(database, () => lockExclusively(database, workers))
  if (hold !== undefined) return hold
  throw new SvcError('conflict', `A server or another command works on ${path}. Stop it first; nothing was changed.`)
}

/** Runs an operation while the data directory is locked exclusively. Throws as `requireExclusiveLock` does. */
export async function withExclusiveLock<T>(
  dataDir: DataDir,
  work: (lock: ExclusiveLock) => T | Promise<T>,
): Promise<T> {
  const lock = requireExclusiveLock(dataDir)
  try {
    return await work(lock)
  } finally {
    lock.release()
  }
}

/** True if a server or another command uses a data directory. */
export function isInUse({ database, workers }: DataDir): boolean {
  const hold = lockExclusively(database, workers)
  hold?.release()
  return hold === undefined
}
