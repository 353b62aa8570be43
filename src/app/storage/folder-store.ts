import { openSqliteStore } from '../../adapters/sql/sqlite/open-store.js'
import type { Store } from '../../ports/store.js'
import { type DataDir, openPart, requireNoInterruptedRestore } from '../../runtime/data-dir.js'

/**
 * Opens the database of a data directory. Rejects with `unavailable` if it cannot be used or a restore was interrupted.
 * `report` receives a sentence for the operator if the database is removed or replaced later.
 */
export async function openFolderStore({ path, database }: DataDir, report?: (message: string) => void): Promise<Store> {
  const store = await openPart(database, () => openSqliteStore(database, report && { report }))
  try {
    // A restore may have started and been killed since the last check. None can start while the store is open.
    requireNoInterruptedRestore(path)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
