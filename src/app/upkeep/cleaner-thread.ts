/**
 * Worker thread: does the daily work on a data directory, or prunes a database and a bucket, once. It reads all rows, which would block the
 * calls of a server.
 */
import { workerData } from 'node:worker_threads'
import { openDiskObjects } from '../../adapters/objects/disk.js'
import { openSqliteUpkeep } from '../../adapters/sql/sqlite/upkeep-database.js'
import { sumDays } from '../../adapters/sql/usage-days.js'
import { type DataDir, describeDataDir } from '../../runtime/data-dir.js'
import { unsigned } from '../storage/upkeep.js'
import type { CleanerWork } from './cleaner.js'
import { removeOldLeftovers } from './leftovers.js'
import { iterateOrphansOf, pruneDaily } from './prune.js'

void work(workerData as CleanerWork)

async function work({ path, pruned, hasObjects, sumsUsage }: CleanerWork): Promise<void> {
  const dataDir = describeDataDir(path)
  if (hasObjects) await removeLeftovers(dataDir, Date.now())
  if (sumsUsage) await sumUsage(dataDir, Date.now())
  if (pruned !== undefined) await pruneDaily(pruned.storage, pruned.days)
}

/** Sums the usage of days that are over in a data directory. */
async function sumUsage({ database: file }: DataDir, now: number): Promise<void> {
  const { db, engine, commit, close } = openSqliteUpkeep(file)
  try {
    await sumDays(db, engine, commit, now)
  } finally {
    await close()
  }
}

/** Removes stored files that no row has named for an hour, and the remains of snapshots after a day. */
async function removeLeftovers(dataDir: DataDir, now: number): Promise<void> {
  const database = openSqliteUpkeep(dataDir.database, { readonly: true })
  try {
    const objects = openDiskObjects(dataDir.objects, unsigned)
    for await (const orphans of iterateOrphansOf(database, objects, now)) {
      for (const { key } of orphans) await objects.delete(key)
    }
  } finally {
    await database.close()
  }
  removeOldLeftovers(dataDir, now)
}
