import { type Hold, holdAlone } from '../../adapters/sql/upkeep/alone.js'
import { type DataDir, explain } from '../../data-dir.js'
import { SvcError } from '../../errors.js'

/** Keeps all others off a data directory. Throws `conflict` where a server or another command works on it. */
export function requireAlone({ path, database, workers }: DataDir): Hold {
  const hold = explain(database, () => holdAlone(database, workers))
  if (hold !== undefined) return hold
  throw new SvcError('conflict', `A server or another command works on ${path}. Stop it first; nothing was changed.`)
}

/** Whether a server or another command works on a data directory. */
export function isInUse({ database, workers }: DataDir): boolean {
  const hold = holdAlone(database, workers)
  hold?.release()
  return hold === undefined
}
