import { openSqliteStore } from '../adapters/sql/store.js'
import { type DataDir, openPart, requireWhole } from '../data-dir.js'
import type { Store } from '../ports.js'

/** Opens the database of a data directory. Throws `unavailable` where it cannot be used, or a restore was cut short. */
export async function openStore({ path, database }: DataDir): Promise<Store> {
  const store = await openPart(database, () => openSqliteStore(database))
  try {
    // Since that was looked at, a restore may have begun and been killed; while the store is open none can begin.
    requireWhole(path)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
