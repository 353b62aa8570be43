import { closeSync, fdatasync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { SvcError } from '../../../errors.js'
import { syncToDisk } from '../../../runtime/durable-files.js'
import { isFileShortage, reasonOf } from '../../../runtime/reason.js'
import type { Connection } from './driver.js'

/** Commits that no request waits for are on disk after this time, plus one sync. Insights have waited for 20 ms before. */
const lateMs = 40

const failureMessage = 'The disk failed to store the database. Check the disk, and restart the service.'

export interface CommitSyncOptions {
  /** Receives a sentence for the operator if the disk fails. */
  readonly report?: ((message: string) => void) | undefined
  /** Called with the number of rows changed since the last call. `flush` waits for its result. */
  readonly onChanges?: (rows: number) => Promise<void> | undefined
  readonly syncData?: ((descriptor: number) => Promise<void>) | undefined
  /** Opens the write-ahead log of a database file. */
  readonly openLog?: ((file: string) => number) | undefined
}

interface SyncWaiter {
  resolve(): void
  reject(error: unknown): void
}

/**
 * Makes commits durable. SQLite's own `synchronous = FULL` syncs once per commit and blocks the main thread meanwhile. Here
 * SQLite writes the commit to the write-ahead log, and one sync of that file, in a thread of Node's pool, serves all requests
 * that wait for it.
 */
export function createCommitSync(
  database: Connection,
  file: string,
  {
    report = () => {},
    onChanges = () => undefined,
    syncData = promisify(fdatasync),
    openLog = openLogOf,
  }: CommitSyncOptions = {},
) {
  const totalChanges = database.prepare<[], number>('select total_changes()').pluck()
  const countChanges = () => totalChanges.get() ?? 0
  let descriptor: number | undefined
  let synced = countChanges()
  let counted = synced
  let running: Promise<void> = Promise.resolve()
  /** The sync that has not begun yet. */
  let next: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  /** The callers of `flushSoon` whose sync has not begun. */
  let waiting: SyncWaiter[] = []
  let failure: unknown
  /** True if the last sync failed because too many files were open. */
  let isShort = false

  function noteChanges(changes: number): Promise<void> | undefined {
    const rows = changes - counted
    counted = changes
    return rows === 0 ? undefined : onChanges(rows)
  }

  async function sync(): Promise<void> {
    next = undefined
    clearTimeout(timer)
    timer = undefined
    const covered = waiting
    waiting = []
    try {
      await syncCommits()
    } catch (error) {
      for (const { reject } of covered) reject(error)
      throw error
    }
    for (const { resolve } of covered) resolve()
  }

  async function syncCommits(): Promise<void> {
    if (failure !== undefined) throw failure
    // The changes of an open transaction are counted, but its commit is not in the log yet.
    const changes = database.inTransaction ? synced : countChanges()
    try {
      descriptor ??= openLog(file)
      isShort = false
      await syncData(descriptor)
    } catch (cause) {
      // Nothing was synced, so the next sync can make up for it.
      if (descriptor === undefined && isFileShortage(cause)) throw refuse(cause)
      // The system may have dropped the pages that it could not write, and would report success next time.
      failure = new SvcError('unavailable', failureMessage, { cause })
      report(failureMessage)
      throw failure
    }
    synced = changes
  }

  function refuse(cause: unknown): SvcError {
    if (!isShort) report(`Commits cannot be synced: ${reasonOf(cause)}. Requests get status 503 until then.`)
    isShort = true
    return new SvcError('unavailable', 'The service cannot use its database at the moment. Try again later.', { cause })
  }

  function join(): Promise<void> {
    next ??= running.then(sync)
    running = next.catch(() => {})
    return next
  }

  return {
    /** Resolves when all commits of the connection so far are on disk. Rejects with `unavailable` if the disk fails. */
    async flush(): Promise<void> {
      const changes = countChanges()
      const turn = noteChanges(changes)
      if (failure !== undefined || changes !== synced) await join()
      await turn
    },
    /** Runs work within a transaction, for which `flush` does not wait. A later sync includes it. */
    async leaveUnsynced<T>(work: () => Promise<T>): Promise<T> {
      const before = countChanges()
      try {
        return await work()
      } finally {
        synced += countChanges() - before
      }
    },
    /**
     * Flushes commits of any connection of this process within 100 ms, and resolves when they are on disk. Rejects with
     * `unavailable` if the disk fails.
     */
    flushSoon(): Promise<void> {
      // A failure rejects the promises below.
      timer ??= setTimeout(() => join().catch(() => {}), lateMs)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    async close(): Promise<void> {
      if (timer !== undefined || countChanges() !== synced) await join().catch(() => {})
      await running
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

/** A new log's name is durable after its folder is synced. */
function openLogOf(file: string): number {
  syncToDisk(dirname(file))
  return openSync(`${file}-wal`, 'r+')
}
