import { dirname, join } from 'node:path'
import { Kysely } from 'kysely'
import type { Store } from '../../ports.js'
import { createAttempt } from './attempt.js'
import { createCountCommit } from './count-commit.js'
import { createSqliteDirect } from './direct.js'
import { sqliteEngine } from './engine.js'
import { createHolders } from './holders.js'
import { createReader } from './reader.js'
import { createSqlStore, migrate } from './sql-store.js'
import { createSqliteDialect, openSqlite, stopWaiting } from './sqlite.js'
import type { Tables } from './tables.js'
import { createWriter } from './writer.js'

const lookQuery = { sql: 'select 1 from api_keys limit 1', parameters: [] }

/** Opens the database file, brings its tables up to date and gives what is kept in it. */
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
    direct: createSqliteDirect(db, database, writer),
    engine: sqliteEngine,
    attempt: createAttempt(lockWaitMs, () => reader.read([lookQuery])),
    holders,
    reader,
    onGroupWritten: createCountCommit(writer),
    async close() {
      await reader.close()
      await writer.close()
      await holders.close()
      await db.destroy()
    },
  })
}
