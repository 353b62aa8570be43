import { type Kysely, Migrator, sql } from 'kysely'
import type { Store } from '../../ports.js'
import type { Attempt } from './attempt.js'
import { createBreakerStore } from './breakers.js'
import { createDiaryStore } from './diary.js'
import type { Direct } from './direct.js'
import type { Engine } from './engine.js'
import { createFeedbackStore } from './feedback.js'
import type { Holders } from './holders.js'
import { createHomeInsightStore } from './home-insights.js'
import { createIdempotencyStore } from './idempotency.js'
import { createJournal, type OnGroupWritten } from './journal.js'
import { createKeyStore } from './keys.js'
import { migrations } from './migrations/index.js'
import { createUnitQueue } from './queue.js'
import { createRateStore } from './rates.js'
import type { Reader } from './reader.js'
import { createRequestStore } from './requests.js'
import type { Tables } from './tables.js'
import { createTaskStore } from './tasks.js'
import { createUsageStore } from './usage.js'

/** What an engine brings to the store beside its statements. */
export interface Database {
  readonly db: Kysely<Tables>
  readonly direct: Direct
  readonly engine: Engine
  readonly attempt: Attempt
  readonly holders: Holders
  readonly reader: Reader
  readonly onGroupWritten: OnGroupWritten
  /** Comes last. */
  close(): Promise<void>
}

/** All that is kept, on a database whose tables are up to date. */
export function createSqlStore({ close, ...database }: Database): Store {
  const { db, direct, engine, attempt, holders, reader, onGroupWritten } = database
  const journal = createJournal(direct, attempt, onGroupWritten)
  return {
    ...createKeyStore(db, engine, attempt),
    ...createRateStore(db, engine, attempt),
    ...createTaskStore(database),
    ...createUnitQueue(db, engine, attempt, holders),
    ...createBreakerStore(db, engine, attempt),
    ...createUsageStore(db, reader, attempt),
    ...createFeedbackStore(db, attempt),
    ...createIdempotencyStore(db, engine, attempt, holders),
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
        await close()
      }
    },
  }
}

/** Brings the tables up to date. Several processes may do so at once. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const provider = { getMigrations: async () => migrations }
  const { error } = await new Migrator({ db, provider, nameComparator: compareNames }).migrateToLatest()
  if (error !== undefined) throw error
}

/** The names begin with numbers. Kysely compares as the user's language does, which takes Node 10 ms to load. */
function compareNames(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
