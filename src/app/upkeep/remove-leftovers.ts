import { openDiskObjects } from '../../adapters/objects/disk.js'
import { openSqliteUpkeep } from '../../adapters/sql/sqlite/upkeep-database.js'
import type { DataDir } from '../../runtime/data-dir.js'
import { unsigned } from '../storage/upkeep.js'
import { iterateOrphansOf } from './find-orphans.js'
import { removeOldLeftovers } from './leftovers.js'

/** Removes stored files that no row has named for an hour, and the remains of snapshots after a day. */
export async function removeLeftovers(dataDir: DataDir, now: number): Promise<void> {
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
