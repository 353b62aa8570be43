import type { UpkeepDatabase } from '../../adapters/sql/upkeep/upkeep-database.js'
import type { StorageConfig } from '../../config/storage.js'
import type { UrlSignatures } from '../../ports/objects.js'
import { describeDataDir, openPart } from '../../runtime/data-dir.js'
import { openObjects } from './open-storage.js'

export type UpkeepStorage = Awaited<ReturnType<typeof openForUpkeep>>

/** Opens the configured database, which must exist, and the objects, next to running processes. Loads the code of its engine only. */
export async function openForUpkeep(config: StorageConfig) {
  const { objects, close } = await openObjects(config, unsigned)
  try {
    const database = await openDatabase(config)
    const closeBoth = async () => {
      await close()
      await database.close()
    }
    return { database, objects, close: closeBoth }
  } catch (error) {
    await close()
    throw error
  }
}

async function openDatabase(config: StorageConfig): Promise<UpkeepDatabase> {
  if (config.database !== '') return (await import('./database.js')).openDatabaseUpkeep(config)
  const file = describeDataDir(config.dataDir).database
  const { openSqliteUpkeep } = await import('../../adapters/sql/sqlite/upkeep-database.js')
  return openPart(file, () => openSqliteUpkeep(file))
}

/** For objects whose addresses are not signed. */
export const unsigned: UrlSignatures = { sign: () => '', isValid: () => false }
