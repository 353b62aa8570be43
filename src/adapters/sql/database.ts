import type { CompiledQuery, Insertable, Kysely, Transaction } from 'kysely'
import type { LogLineStore } from '../../ports/log-lines.js'
import type { Holder } from '../../ports/queue.js'
import type { PoolMeasure } from '../../ports/store.js'
import type { Engine } from './engine.js'
import type { MovableClock } from './movable-clock.js'
import type { Tables } from './tables.js'
import type { SelectedTask } from './task-row.js'

/** The parts that each engine implements. */
export interface SqlDatabase {
  readonly db: Kysely<Tables>
  readonly hotQueries: HotQueries
  readonly engine: Engine
  readonly clock: MovableClock
  /** Resolves when the work is committed. */
  readonly commit: RunWork
  /**
   * True for an error after which it is unknown whether the work was committed: its response was lost. Absent if the engine is
   * in this process.
   */
  readonly isCommitUnknown?: (error: unknown) => boolean
  /** Resolves when all commits so far are on disk. Rejects with `unavailable` if the disk fails. */
  readonly flush: () => Promise<void>
  /** For work whose caller does not wait for the sync to disk. Absent if the engine syncs each commit. */
  readonly leaveUnsynced?: RunWork
  readonly holders: Holders
  readonly reader: Reader
  readonly logLines: LogLineStore
  /** Sums usage per day. Absent if the engine would read all rows for a day. */
  readonly sumDays?: () => Promise<unknown>
  readonly onGroupWritten: OnGroupWritten
  /**
   * Resolves when all commits so far of this process are on disk, within 100 ms, for rows that no call waits for. Rejects
   * with `unavailable` if the disk fails.
   */
  readonly syncSoon: () => Promise<void>
  /** Throws if the database's file was removed or replaced, or cannot be written. Absent if the engine has no file. */
  readonly requireDatabase?: () => void
  /** Absent if the engine is in this process. */
  readonly measurePool?: () => PoolMeasure | undefined
  /** Called last, after the journal is closed. */
  close(): Promise<void>
}

/** The parts that the stores of a database share. */
export interface StoreParts extends SqlDatabase {
  /** Like `commit`, but resolves when all commits that led to the result are on disk. */
  readonly runDurably: RunWork
  /** Returns the ID of the holder for what this process holds besides units. */
  readonly openProcessHolder: () => Promise<string>
}

/**
 * Runs work on the database, and retries it while another transaction is in its way. Rejects with `unavailable` if the
 * database cannot be used for now.
 */
export type RunWork = <T>(work: () => Promise<T>) => Promise<T>

export type ArchiveRow = Insertable<Tables['insight_archive']>

export type FeedbackRow = Insertable<Tables['feedback']>

/** The queries of the busiest calls, which an engine runs in its own way. */
export interface HotQueries {
  findTask(id: string): Promise<SelectedTask | undefined>
  /** Saves the feedback of several calls. Returns the unknown keys of each; a call that has any saves nothing. */
  saveFeedback(calls: readonly (readonly FeedbackRow[])[]): Promise<readonly string[][]>
  /**
   * Appends to the archive and books each row as a call of `endpoint`, in one transaction. The caller retries if it rejects:
   * if a thread crashed between its commit and its response, the rows are stored twice rather than not at all.
   */
  archive(rows: readonly ArchiveRow[], endpoint: string): Promise<void>
}

export type ReadQuery = Pick<CompiledQuery, 'sql' | 'parameters'>

export interface Reader {
  /** Returns the rows of each query, from one snapshot of the database. Concurrent calls run one after the other. */
  read(queries: readonly ReadQuery[]): Promise<readonly (readonly unknown[])[]>
  /** Aborts a running read. */
  close(): Promise<void>
}

export interface Holders {
  open(models?: string): Promise<Holder>
  /** Counts the holders of other processes with other models. */
  countOtherModels(models: string): Promise<number>
  /** Returns the holders whose process is gone. */
  findAbandoned(ids: readonly string[]): Promise<string[]>
  /**
   * Notes that a holder asks for units of these providers. Absent, like `countAsking`, if holders take shared slots as they
   * come.
   */
  ask?(id: string, providers: readonly string[]): void
  /** Counts the other holders that have asked lately, by provider: each may have an equal share of the slots. */
  countAsking?(tx: Transaction<Tables>, id: string): Promise<ReadonlyMap<string, number>>
  /** True if another process has a holder. */
  hasOthers(): Promise<boolean>
  /** Returns the time since the database was last reached. Absent if holders are locks of files. */
  findBeatAgeMs?(): number
  /** Closes the holders of this process that are still open. */
  close(): Promise<void>
}

/**
 * Called after each group. Resolves when the next may be written: immediately, or after a checkpoint, for which it waits at
 * most `waitMs`. `rows` counts rows that another thread may have written.
 */
export type OnGroupWritten = (group?: { readonly rows: number; readonly waitMs: number }) => Promise<void> | void

/** Returns the value of a setting, or undefined if it is not stored. */
export async function findSetting(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Stores a setting in place of its former value. */
export async function saveSetting(db: Kysely<Tables>, name: string, value: string): Promise<void> {
  const insert = db.insertInto('settings').values({ name, value })
  await insert.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })).execute()
}
