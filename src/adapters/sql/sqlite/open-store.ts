import { dirname, join } from 'node:path'
import { Kysely } from 'kysely'
import { isUnavailable, SvcError } from '../../../errors.js'
import type { Store } from '../../../ports/store.js'
import { codeOf, findFileShortage } from '../../../runtime/reason.js'
import type { RunWork } from '../database.js'
import { createSqliteEngine } from '../engine.js'
import { migrate } from '../migrate.js'
import { createMovableClock, followMs, type MovableClock, offsetText, requireMayMove } from '../movable-clock.js'
import { createSqlStore } from '../sql-store.js'
import type { Tables } from '../tables.js'
import { createCheckpointer } from './checkpointer.js'
import { createCommitSync } from './commit-sync.js'
import { createSqliteDialect, openSqlite, stopWaiting } from './dialect.js'
import type { Connection } from './driver.js'
import { findFileNumber } from './file-number.js'
import { createHolders } from './holders.js'
import { createSqliteHotQueries } from './hot-queries.js'
import { openSqliteLog } from './log-file.js'
import { createReader } from './reader.js'
import { createRetryWhileBusy } from './retry-while-busy.js'
import { createWriter, createWriterThread } from './writer.js'

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
  const thread = createWriterThread()
  const writer = createWriter(file, thread)
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
  const { close: closeLog, ...logLines } = openSqliteLog(join(dirname(file), 'log.db'), report, thread)
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
    logLines,
    syncSoon: commitSync.flushSoon,
    onGroupWritten({ rows, waitMs } = { rows: 0, waitMs: Number.POSITIVE_INFINITY }) {
      if (rows > 0) checkpointer.count(rows)
      return checkpointer.wait(waitMs)
    },
    async close() {
      clearInterval(following)
      await closeLog()
      await commitSync.close()
      await reader.close()
      await thread.close()
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

const refusals: readonly (readonly [RegExp, () => string])[] = [
  [/^SQLITE_FULL/, () => 'The disk is full'],
  [/^SQLITE_READONLY/, () => 'The database is read-only'],
  [
    /^SQLITE_(IOERR|CANTOPEN)/,
    () => `The database cannot be written (${findFileShortage() ?? 'the disk refuses to store it'})`,
  ],
]

/** Guards against a disk that is full or read-only. Calls `report` each time it begins to refuse writes. */
export function createWriteGuard(database: Connection, report: (message: string) => void = () => {}) {
  let isRefused = false

  function note(error: unknown): never {
    const code = isUnavailable(error) ? codeOf(error.cause) : ''
    const reason = isRefused ? undefined : refusals.find(([codes]) => codes.test(code))?.[1]()
    if (reason !== undefined) {
      isRefused = true
      report(`${reason}: requests that need it get status 503 until it can be written again.`)
    }
    throw error
  }

  return {
    /** Runs work on the database, and notes whether the disk refused to store it. */
    protect(run: RunWork): RunWork {
      return (work) => run(work).catch(note)
    },
    /** Throws the error of a write if the disk refused the last one, and still refuses. */
    requireDisk() {
      if (!isRefused) return
      // Writes the first page again, unchanged.
      const version = database.pragma('user_version', { simple: true })
      database.pragma(`user_version = ${version}`)
      isRefused = false
    },
  }
}

const lookEveryMs = 1000

/** Commits are in the write-ahead log until a checkpoint. Its file stays as long as the database is open. */
const suffixes = ['', '-wal']

const movedMessage =
  'The database file, or its -wal file, was removed or replaced while the service runs. Put it back, or restart the service.'

/**
 * Guards an open database against the removal or replacement of its files: SQLite keeps writing to the former file, which
 * has no name any more. Calls `report` each time a file turns out to be gone.
 */
export function createFileGuard(
  file: string,
  report: (message: string) => void = () => {},
  now: () => number = () => performance.now(),
) {
  const findNumbers = () => suffixes.map((suffix) => findFileNumber(file + suffix)).join()
  const numbers = findNumbers()
  let isGone = false
  let lookAgainAt = 0

  /** Throws `unavailable` if one of its files was removed or replaced. */
  function requireFile(): void {
    const wasGone = isGone
    isGone = findNumbers() !== numbers
    lookAgainAt = now() + lookEveryMs
    if (isGone && !wasGone) report(movedMessage)
    if (isGone) throw new SvcError('unavailable', movedMessage)
  }

  return {
    requireFile,
    /** Runs work on the database unless one of its files was removed or replaced, looking once a second. */
    protect(run: RunWork): RunWork {
      return async (work) => {
        if (isGone || now() >= lookAgainAt) requireFile()
        return run(work)
      }
    },
  }
}
