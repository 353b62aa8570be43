import { dirname, join } from 'node:path'
import { Kysely, Migrator, sql } from 'kysely'
import type { Store } from '../../ports.js'
import { createAttempt } from './attempt.js'
import { createBreakerStore } from './breakers.js'
import { createCheckpointer } from './checkpointer.js'
import { createDiaryStore } from './diary.js'
import { createSqliteDirect } from './direct.js'
import { sqliteEngine } from './engine.js'
import { createFeedbackStore } from './feedback.js'
import { createHolders } from './holders.js'
import { createHomeInsightStore } from './home-insights.js'
import { createIdempotencyStore } from './idempotency.js'
import { createJournal } from './journal.js'
import { createKeyStore } from './keys.js'
import { migrations } from './migrations/index.js'
import { createUnitQueue } from './queue.js'
import { createRateStore } from './rates.js'
import { createReader } from './reader.js'
import { createRequestStore } from './requests.js'
import { createSqliteDialect, openSqlite, stopWaiting } from './sqlite.js'
import type { Tables } from './tables.js'
import { createTaskStore } from './tasks.js'
import { createUsageStore } from './usage.js'

/** Opens the database file, brings its tables up to date and gives what is kept in it. */
export async function openSqliteStore(file: string, lockWaitMs?: number): Promise<Store> {
  const database = openSqlite(file)
  const attempt = createAttempt(lockWaitMs)
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database) })
  const checkpointer = createCheckpointer(file)
  const reader = createReader(file)
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  stopWaiting(database)
  const holders = createHolders(join(dirname(file), 'workers'))
  const direct = createSqliteDirect(db, database)
  const journal = createJournal(direct, attempt, checkpointer.countCommit)
  return {
    ...createKeyStore(db, attempt),
    ...createRateStore(db, attempt),
    ...createTaskStore({ db, direct, engine: sqliteEngine, attempt, onGroupWritten: checkpointer.countCommit }),
    ...createUnitQueue(db, sqliteEngine, attempt, holders),
    ...createBreakerStore(db, sqliteEngine, attempt),
    ...createUsageStore(db, reader, attempt),
    ...createFeedbackStore(db, attempt),
    ...createIdempotencyStore(db, attempt, holders),
    ...createHomeInsightStore(db, attempt),
    ...createDiaryStore(db, attempt),
    ...createRequestStore(db, attempt),
    journal,
    async isAlive() {
      try {
        await attempt(() => sql`select 1 from ${sql.table('api_keys')} limit 1`.execute(db))
        return journal.isHealthy()
      } catch {
        // Whatever the reason, the answer is no; the reason is in the log of the request that needed the database.
        return false
      }
    },
    async close() {
      try {
        await journal.close()
      } finally {
        await reader.close()
        await checkpointer.close()
        holders.close()
        await db.destroy()
      }
    },
  }
}

async function migrate(db: Kysely<Tables>): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error !== undefined) throw error
}
