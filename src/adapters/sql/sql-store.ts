import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { isSvcError, SvcError } from '../../errors.js'
import { clockIsReal, type ServiceClock } from '../../ports/clock.js'
import type { SettingStore, Store } from '../../ports/store.js'
import { createBreakerStore } from './breakers.js'
import type { Holders, RunWork, SqlDatabase, StoreParts } from './database.js'
import { findSetting, saveSetting } from './database.js'
import { createDiaryStore } from './diary.js'
import { createFaultStore } from './faults.js'
import { createFeedbackStore } from './feedback.js'
import { createHomeInsightStore } from './home-insights.js'
import { createIdempotencyStore } from './idempotency.js'
import { createJournal } from './journal.js'
import { createKeyStore } from './keys.js'
import { createMeasureQueue } from './measures.js'
import { findPending } from './migrate.js'
import { followMs, settingName } from './movable-clock.js'
import { createUnitQueue } from './queue.js'
import { createRateStore } from './rates.js'
import { createRequestStore } from './requests.js'
import { createTaskStore } from './tasks.js'
import { createUsageStore } from './usage.js'

/** Creates the store on a migrated database. */
export function createSqlStore(database: SqlDatabase): Store {
  const { db, commit, flush, holders } = database
  const journal = createJournal(database)
  /** The caller learns the result of a read or a write after the commits that led to it are on disk. */
  const runDurably: RunWork = async (work) => {
    const result = await commit(work)
    await flush()
    return result
  }
  const parts = { ...database, runDurably, openProcessHolder: createProcessHolder(holders) }
  const { close: closeIdempotency, ...idempotency } = createIdempotencyStore(parts)
  return {
    ...createServiceClock(parts),
    ...createKeyStore(parts),
    ...createRateStore(parts),
    ...createTaskStore(parts),
    ...createUnitQueue(parts),
    ...createBreakerStore(parts),
    ...createUsageStore(parts),
    ...createFeedbackStore(parts),
    ...idempotency,
    ...createHomeInsightStore(parts),
    ...createDiaryStore(parts),
    ...createRequestStore(parts),
    ...createSettingStore(parts),
    ...database.logLines,
    ...createFaultStore(parts),
    measureQueue: createMeasureQueue(parts),
    measurePool: () => database.measurePool?.(),
    findHeartbeatAgeMs: () => holders.findBeatAgeMs?.(),
    journal,
    async isAlive() {
      try {
        database.requireDatabase?.()
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
        await database.close()
      }
    },
  }
}

/** Returns the ID of the holder for what this process holds besides units. Opened on first use, closed with the store. */
function createProcessHolder(holders: Holders): () => Promise<string> {
  let holder: Promise<{ readonly id: string }> | undefined
  return async () => {
    holder ??= holders.open()
    try {
      return (await holder).id
    } catch (error) {
      holder = undefined
      throw error
    }
  }
}

/** After this time all processes have read a stored offset. */
const followedMs = followMs + 200

function createServiceClock({ db, engine, clock, runDurably, holders }: StoreParts): ServiceClock {
  /** Returns the stored value; undefined if there is no offset any more. */
  const store = (change: (offsetMs: number) => number) =>
    db.transaction().execute(async (tx) => {
      await engine.takeTurn(tx, 'clock')
      const offsetMs = Math.round(change(Number((await findSetting(tx, settingName)) ?? 0)))
      if (offsetMs === 0) {
        await tx.deleteFrom('settings').where('name', '=', settingName).execute()
        return undefined
      }
      const value = String(offsetMs)
      await saveSetting(tx, settingName, value)
      return value
    })
  return {
    now: clock.now,
    clockOffsetMs: clock.offsetMs,
    async moveClock(change) {
      if (!clock.mayMove) throw new SvcError('forbidden', clockIsReal)
      clock.move(await runDurably(() => store(change)))
      if (await holders.hasOthers()) await delay(followedMs)
    },
  }
}

function createSettingStore({ db, runDurably }: StoreParts): SettingStore {
  return {
    async keepSetting(name, value) {
      const insert = db.insertInto('settings').values({ name, value })
      await runDurably(() => insert.onConflict((conflict) => conflict.column('name').doNothing()).execute())
      return (await runDurably(() => findSetting(db, name))) ?? value
    },
    findSetting: (name) => runDurably(() => findSetting(db, name)),
  }
}
