import { dirname, join } from 'node:path'
import { Kysely } from 'kysely'
import type { Store } from '../../../ports/store.js'
import { sqliteEngine } from '../engine.js'
import { createHolders } from '../holders.js'
import { createSqlStore, migrate } from '../sql-store.js'
import type { Tables } from '../tables.js'
import { createCheckpointer } from './checkpointer.js'
import { createSqliteDialect, openSqlite, stopWaiting } from './dialect.js'
import { createSqliteHotQueries } from './hot-queries.js'
import { createReader } from './reader.js'
import { createRetryWhileBusy } from './retry-while-busy.js'
import { createWriter } from './writer.js'

const probeQuery = { sql: 'select 1 from api_keys limit 1', parameters: [] }

/** Opens and migrates the database file. */
export async function openSqliteStore(file: string, lockWaitMs?: number): Promise<Store> {
  const database = openSqlite(file)
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database) })
  const writer = createWriter(file)
  const reader = createReader(file)
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  stopWaiting(database)
  const holders = createHolders(join(dirname(file), 'workers'))
  return createSqlStore({
    db,
    hotQueries: createSqliteHotQueries(db, database, writer),
    engine: sqliteEngine,
    retryWhileBusy: createRetryWhileBusy(lockWaitMs, () => reader.read([probeQuery])),
    holders,
    reader,
    onGroupWritten: createCheckpointer(writer),
    async close() {
      await reader.close()
      await writer.close()
      await holders.close()
      await db.destroy()
    },
  })
}
