import { nameStorage, type StorageConfig } from '../../config/storage.js'
import type { Store } from '../../ports/store.js'
import { createDataDir, openPart, requireDataDir } from '../../runtime/data-dir.js'

/** True if a data directory without a database gets one; otherwise it is refused with `not_found`. */
export interface StoreOptions {
  readonly mayCreate: boolean
  /** Receives a sentence for the operator about the setup of the database, or if its file is removed or replaced later. */
  readonly report?: (message: string) => void
}

/** Opens the configured database and migrates it. Loads the code of its engine only. */
export async function openStore(config: StorageConfig, { mayCreate, report }: StoreOptions): Promise<Store> {
  const { database, dataDir, environment } = config
  if (database !== '') {
    const { openDatabaseStore } = await import('./database.js')
    return openDatabaseStore(config, report)
  }
  const folder = mayCreate ? createDataDir(dataDir) : requireDataDir(dataDir)
  const { openFolderStore } = await import('./folder-store.js')
  const storage = nameStorage(config)
  return openFolderStore(folder, { ...(report && { report }), mayMoveClock: environment === 'test', storage })
}

/** Opens the store for `use`, which also gets its time. */
export async function withStore<T>(
  config: StorageConfig,
  options: StoreOptions,
  use: (store: Store, now: Date) => Promise<T>,
): Promise<T> {
  const store = await openStore(config, options)
  try {
    return await use(store, new Date(store.now()))
  } finally {
    await store.close()
  }
}

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
