import { sql } from 'kysely'
import { isSvcError } from '../../errors.js'
import type { Store } from '../../ports/store.js'
import { createBreakerStore } from './breakers.js'
import type { RetryWhileBusy, SqlDatabase } from './database.js'
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
  const { db, hotQueries, engine, retryWhileBusy: commit, flush, holders, reader } = database
  const { leaveUnsynced = (work) => work() } = database
  const journal = createJournal({ ...database, commit })
  /** The caller learns the result of a read or a write after the commits that led to it are on disk. */
  const retryWhileBusy: RetryWhileBusy = async (work) => {
    const result = await commit(work)
    await flush()
    return result
  }
  const openProcessHolder = createProcessHolder(holders)
  const { reserveKey } = hotQueries
  const { close: closeIdempotency, ...idempotency } = createIdempotencyStore({
    ...{ db, engine, retryWhileBusy, holders, openProcessHolder, reserveKey },
  })
  return {
    ...createServiceClock({ ...database, retryWhileBusy }),
    ...createKeyStore(db, engine, retryWhileBusy, commit),
    ...createRateStore(db, engine, commit, leaveUnsynced),
    ...createTaskStore({ ...database, retryWhileBusy, commit, openProcessHolder }),
    ...createUnitQueue(db, engine, retryWhileBusy, holders),
    ...database.queue,
    ...createBreakerStore(db, engine, retryWhileBusy),
    ...createUsageStore({ db, reader, retryWhileBusy, sumDays: database.sumDays }),
    ...createFeedbackStore(db, hotQueries, retryWhileBusy),
    ...idempotency,
    ...createHomeInsightStore(db, retryWhileBusy, database.isCommitUnknown),
    ...createDiaryStore(db, retryWhileBusy, database.isCommitUnknown),
    ...createRequestStore(db, retryWhileBusy),
    ...createSettingStore(db, retryWhileBusy),
    ...createLogLineStore(db, commit, database.syncSoon),
    ...createFaultStore(db, engine, retryWhileBusy, commit),
    measureQueue: createMeasureQueue(db, engine, commit),
    measurePool: () => measurePool?.(),
    findHeartbeatAgeMs: () => holders.findBeatAgeMs?.(),
    journal,
    async isAlive() {
      try {
        requireDatabase?.()
        await retryWhileBusy(() => sql`select 1 from ${sql.table('api_keys')} limit 1`.execute(db))
        return journal.isHealthy()
      } catch {
        // The reason is in the log of a request that needed the database.
        return false
      }
    },
    async isCompatible() {
      try {
        return (await retryWhileBusy(() => findPending(db))).length === 0
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
