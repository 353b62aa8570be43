import { openSqliteStore } from '../../src/adapters/sql/store.js'
import type { Store } from '../../src/ports.js'
import { openPostgresStore } from './postgres-store.js'

/** Opens the database at an address, of whichever engine. */
export function openStore(address: string, lockWaitMs?: number): Promise<Store> {
  return address.startsWith('postgresql:') ? openPostgresStore(address) : openSqliteStore(address, lockWaitMs)
}
