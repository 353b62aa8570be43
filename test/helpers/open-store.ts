import { openSqliteStore } from '../../src/adapters/sql/sqlite/open-store.js'
import type { Store } from '../../src/ports/store.js'
import { openPostgresStore } from './postgres-store.js'

/** Opens the database at an address, on either engine. */
export function openStore(address: string, lockWaitMs?: number): Promise<Store> {
  return address.startsWith('postgresql:') ? openPostgresStore(address) : openSqliteStore(address, { lockWaitMs })
}
