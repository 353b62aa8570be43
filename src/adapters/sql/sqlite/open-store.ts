import { dirname, join } from 'node:path'
import { Kysely } from 'kysely'
import type { Store } from '../../../ports/store.js'
import { createSqliteEngine } from '../engine.js'
import { migrate } from '../migrate.js'
import { createMovableClock, followMs, type MovableClock, offsetText, requireMayMove } from '../movable-clock.js'
import { createSqlStore } from '../sql-store.js'
import type { Tables } from '../tables.js'
import { createCheckpointer } from './checkpointer.js'
import { createCommitSync } from './commit-sync.js'
import { createSqliteDialect, openSqlite, stopWaiting } from './dialect.js'
import type { Connection } from './driver.js'
import { createFileGuard } from './file-guard.js'
import { createHolders } from './holders.js'
import { createSqliteHotQueries } from './hot-queries.js'
import { createReader } from './reader.js'
import { createRetryWhileBusy } from './retry-while-busy.js'
import { createWriteGuard } from './write-guard.js'
import { createWriter } from './writer.js'

const probeQuery = { sql: 'select 1 from api_keys limit 1', parameters: [] }

export interface SqliteOptions {
  /** The maximum time that a write waits for another process to release its lock. */
  readonly lockWaitMs?: number
  /** Receives a sentence for the operator if the file is removed or replaced, or the disk fails, is full or read-only. */
  readonly report?: (message: string) => void
  /** True if tests may move the clock. */
  readonly mayMoveClock?: boolean
  /** The option of commands that finds the service, such as `--data-dir .svc`. Messages name it. */
  readonly storage?: string
  /** The clock of the machine, epoch milliseconds. */
  readonly now?: () => number
  /** Syncs the data of a file; the default is the system's. */
  readonly syncData?: (descriptor: number) => Promise<void>
}

/** Opens and migrates the database file. */
export async function openSqliteStore(
  file: string,
  { lockWaitMs, report, mayMoveClock = true, storage = '', now = Date.now, syncData }: SqliteOptions = {},
): Promise<Store> {
  const database = openSqlite(file)
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database) })
  const writer = createWriter(file)
  const reader = createReader(file)
  const clock = createMovableClock(now, mayMoveClock)
  let following: NodeJS.Timeout | undefined
  try {
    await migrate(db)
    following = followOffset(database, clock, storage)
  } catch (error) {
    await db.destroy()
    throw error
  }
  stopWaiting(database)
  const fileGuard = createFileGuard(file, report)
  const writeGuard = createWriteGuard(database, report)
  const retryWhileBusy = createRetryWhileBusy(lockWaitMs, () => reader.read([probeQuery]))
  const checkpointer = createCheckpointer(writer)
  const commitSync = createCommitSync(database, file, { report, onChanges: checkpointer.count, syncData })
  const holders = createHolders(join(dirname(file), 'workers'))
  return createSqlStore({
    db,
    hotQueries: createSqliteHotQueries(db, database, writer),
    engine: createSqliteEngine(clock.now),
    clock,
    commit: fileGuard.protect(writeGuard.protect(retryWhileBusy)),
    flush: commitSync.flush,
    leaveUnsynced: commitSync.leaveUnsynced,
    holders,
    requireDatabase() {
      fileGuard.requireFile()
      writeGuard.requireDisk()
    },
    reader,
    syncSoon: commitSync.flushSoon,
    onGroupWritten({ rows, waitMs } = { rows: 0, waitMs: Number.POSITIVE_INFINITY }) {
      if (rows > 0) checkpointer.count(rows)
      return checkpointer.wait(waitMs)
    },
    async close() {
      clearInterval(following)
      await commitSync.close()
      await reader.close()
      await writer.close()
      await holders.close()
      await db.destroy()
    },
  })
}

/** Uses the stored offset of the clock, now and after another process has changed it. Throws if this one may not. */
function followOffset(database: Connection, clock: MovableClock, storage: string): NodeJS.Timeout | undefined {
  const offset = database.prepare<[], string>(offsetText).pluck()
  requireMayMove(clock, offset.get(), storage)
  if (!clock.mayMove) return undefined
  clock.follow(offset.get())
  return setInterval(() => {
    try {
      clock.follow(offset.get())
    } catch {
      // The database cannot be read for now; the calls that need it say so.
    }
  }, followMs).unref()
}
