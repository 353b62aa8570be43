import { sql } from 'kysely'
import { dayMs, findSummable, sumDays } from '../usage-days.js'
import type { UpkeepDatabase } from './upkeep-database.js'

export interface RowPruneOptions {
  readonly before: number
  readonly now: number
  readonly dryRun: boolean
}

/** Returns true for the first of several processes that ask on a day. */
export async function claimPruning({ db, commit }: UpkeepDatabase, now: number): Promise<boolean> {
  const day = String(Math.floor(now / dayMs))
  // Texts of as many digits are in the order of their numbers.
  const claim = sql`insert into settings (name, value) values ('pruned_on', ${day})
    on conflict (name) do update set value = excluded.value where settings.value < excluded.value`
  return Number((await commit(() => claim.execute(db))).numAffectedRows) === 1
}

/** The tables with a row per call, and their times. */
const callTables = { insight_archive: 'generated_at', usage_entries: 'created_at', usage_ledger: 'created_at' } as const

/**
 * Deletes the archive of insights and the single records of usage that are older than `before`, or only counts them. The
 * sums per day stay. Returns the number of rows.
 */
export async function pruneUsage(database: UpkeepDatabase, { before, now, dryRun }: RowPruneOptions): Promise<number> {
  const { db, engine, commit } = database
  const summedUntil = dryRun ? findSummable(now) : await sumDays(db, engine, commit, now)
  const end = Math.min(before, summedUntil)
  let rows = 0
  for (const [table, column] of Object.entries(callTables))
    rows += await database.deleteBefore(table, column, end, dryRun)
  return rows
}

/** Numbers of rows by table. */
export type PrunedRows = Readonly<Record<'home_insights' | 'selections' | 'spending', number>>

/** Deletes old cards of home pages, old selections of diary pictures, and old sums of budgets, or only counts them. */
export async function pruneRows(database: UpkeepDatabase, options: RowPruneOptions): Promise<PrunedRows> {
  const { before, dryRun } = options
  return {
    home_insights: await database.deleteBefore('home_insights', 'created_at', before, dryRun),
    selections: await database.deleteBefore('selections', 'created_at', before, dryRun),
    spending: await pruneSpending(database, options),
  }
}

/** Deletes old lines of the request log, or only counts them. On SQLite, also those of earlier versions in the database. */
export function pruneLog(database: UpkeepDatabase, { before, dryRun }: RowPruneOptions): Promise<number> {
  return database.deleteBefore('log_lines', 'at', before, dryRun)
}

/**
 * Deletes the sums of spending of windows that ended a month ago or more, and of reservations that are zero, or only counts
 * them. Budgets read the sums of the current day and month only. Returns the number of rows.
 */
function pruneSpending(database: UpkeepDatabase, { before, now, dryRun }: RowPruneOptions): Promise<number> {
  const time = new Date(now)
  const end = Math.min(before, Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - 1))
  const isOver = sql`(starts_at > 0 and starts_at < ${end} or starts_at = 0 and micros = 0)`
  return database.changeWhere('spending', isOver, dryRun ? undefined : sql`delete from spending`)
}
