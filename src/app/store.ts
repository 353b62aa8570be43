import { openSqliteStore } from '../adapters/sql/sqlite/open-store.js'
import type { Store } from '../ports/store.js'
import { type DataDir, openPart, requireNoInterruptedRestore } from '../runtime/data-dir.js'

/** Opens the database of a data directory. Rejects with `unavailable` if it cannot be used or a restore was interrupted. */
export async function openStore({ path, database }: DataDir): Promise<Store> {
  const store = await openPart(database, () => openSqliteStore(database))
  try {
    // A restore may have started and been killed since the last check. None can start while the store is open.
    requireNoInterruptedRestore(path)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
