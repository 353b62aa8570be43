import { sql } from 'kysely'
import { isSvcError } from '../../errors.js'
import type { Store } from '../../ports/store.js'
import { createBreakerStore } from './breakers.js'
import type { RunWork, SqlDatabase } from './database.js'
import { createDiaryStore } from './diary.js'
import { createFaultStore } from './faults.js'
import { createFeedbackStore } from './feedback.js'
import { createHomeInsightStore } from './home-insights.js'
import { createIdempotencyStore } from './idempotency.js'
import { createJournal } from './journal.js'
import { createKeyStore } from './keys.js'
import { createLogLineStore } from './log-lines.js'
import { createMeasureQueue } from './measures.js'
import { findPending } from './migrate.js'
import { createProcessHolder } from './process-holder.js'
import { createUnitQueue } from './queue.js'
import { createRateStore } from './rates.js'
import { createRequestStore } from './requests.js'
import { createServiceClock } from './service-clock.js'
import { createSettingStore } from './settings.js'
import { createTaskStore } from './tasks.js'
import { createUsageStore } from './usage.js'

/** Creates the store on a migrated database. */
export function createSqlStore({ close, requireDatabase, measurePool, ...database }: SqlDatabase): Store {
  const { db, hotQueries, engine, commit, flush, holders, reader } = database
  const { leaveUnsynced = (work) => work() } = database
  const journal = createJournal(database)
  /** The caller learns the result of a read or a write after the commits that led to it are on disk. */
  const runDurably: RunWork = async (work) => {
    const result = await commit(work)
    await flush()
    return result
  }
  const openProcessHolder = createProcessHolder(holders)
  const { reserveKey } = hotQueries
  const { close: closeIdempotency, ...idempotency } = createIdempotencyStore({
    ...{ db, engine, runDurably, holders, openProcessHolder, reserveKey },
  })
  return {
    ...createServiceClock({ ...database, runDurably }),
    ...createKeyStore(db, engine, runDurably, commit),
    ...createRateStore(db, engine, commit, leaveUnsynced),
    ...createTaskStore({ ...database, runDurably, openProcessHolder }),
    ...createUnitQueue({ ...database, runDurably }),
    ...createBreakerStore(db, engine, runDurably),
    ...createUsageStore({ db, reader, runDurably, sumDays: database.sumDays }),
    ...createFeedbackStore(db, hotQueries, runDurably),
    ...idempotency,
    ...createHomeInsightStore(db, runDurably, database.isCommitUnknown),
    ...createDiaryStore(db, runDurably, database.isCommitUnknown),
    ...createRequestStore(db, runDurably),
    ...createSettingStore(db, runDurably),
    ...createLogLineStore(db, commit, database.syncSoon),
    ...createFaultStore(db, engine, runDurably, commit),
    measureQueue: createMeasureQueue(db, engine, commit),
    measurePool: () => measurePool?.(),
    findHeartbeatAgeMs: () => holders.findBeatAgeMs?.(),
    journal,
    async isAlive() {
      try {
        requireDatabase?.()
        await runDurably(() => sql`select 1 from ${sql.table('api_keys')} limit 1`.execute(db))
        return journal.isHealthy()
      } catch {
        // The reason is in the log of a request that needed the database.
        return false
      }
    },
    async isCompatible() {
      try {
        return (await runDurably(() => findPending(db))).length === 0
      } catch (error) {
        if (isSvcError(error)) return false
        throw error
      }
    },
    async close() {
      try {
        await closeIdempotency()
        await journal.close()
      } finally {
        await close()
      }
    },
  }
}
