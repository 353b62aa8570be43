import type { StorageConfig } from '../../config/storage.js'
import { createDataDir, openPart, requireDataDir } from '../../runtime/data-dir.js'

/**
 * Runs the changes that the configured database lacks, and returns the names of those that ran here. Without `runs`, only
 * returns the names of the lacking ones. Throws `unavailable` if this version is too old for the database.
 */
export async function migrateStorage(config: StorageConfig, runs: boolean): Promise<readonly string[]> {
  if (config.database !== '') {
    const { migrateDatabase } = await import('./database.js')
    return migrateDatabase(config, runs)
  }
  const folder = runs ? createDataDir(config.dataDir) : requireDataDir(config.dataDir)
  const { migrateFolder } = await import('./folder-store.js')
  return openPart(folder.database, () => migrateFolder(folder, runs))
}
