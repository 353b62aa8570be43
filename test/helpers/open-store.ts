import { openPostgresStore } from '../../src/adapters/sql/postgres/open-store.js'
import { openSqliteStore } from '../../src/adapters/sql/sqlite/open-store.js'
import type { Store } from '../../src/ports/store.js'

/** Opens the database at an address, on either engine. */
export function openStore(address: string, lockWaitMs?: number): Promise<Store> {
  return address.startsWith('postgresql:')
    ? openPostgresStore(address, { holderGoneMs: 1000 })
    : openSqliteStore(address, { lockWaitMs })
}
