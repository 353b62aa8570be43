import { type RawBuilder, sql } from 'kysely'
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
  for (const [table, column] of Object.entries(callTables)) rows += await prune(database, table, column, end, dryRun)
  return rows
}

/** Numbers of rows by table. */
export type PrunedRows = Readonly<Record<'home_insights' | 'selections' | 'spending', number>>

/** Deletes old cards of home pages, old selections of diary pictures, and old sums of budgets, or only counts them. */
export async function pruneRows(database: UpkeepDatabase, options: RowPruneOptions): Promise<PrunedRows> {
  const { before, dryRun } = options
  return {
    home_insights: await prune(database, 'home_insights', 'created_at', before, dryRun),
    selections: await prune(database, 'selections', 'created_at', before, dryRun),
    spending: await pruneSpending(database, options),
  }
}

/** Deletes old lines of the request log, or only counts them. On SQLite, also those of earlier versions in the database. */
export function pruneLog(database: UpkeepDatabase, { before, dryRun }: RowPruneOptions): Promise<number> {
  return prune(database, 'log_lines', 'at', before, dryRun)
}

function prune(database: UpkeepDatabase, table: string, column: string, end: number, dryRun: boolean): Promise<number> {
  return dryRun ? database.countBefore(table, column, end) : database.deleteBefore(table, column, end)
}

/** The rows that one statement reads. */
const rowsPerQuery = 2000

interface Position {
  readonly owner_kind: string
  readonly owner_id: string
  readonly starts_at: number
}

/**
 * Deletes the sums of spending of windows that ended a month ago or more, and of reservations that are zero, or only counts
 * them. Budgets read the sums of the current day and month only. Returns the number of rows.
 */
async function pruneSpending(
  { db, commit }: UpkeepDatabase,
  { before, now, dryRun }: { readonly before: number; readonly now: number; readonly dryRun: boolean },
): Promise<number> {
  const time = new Date(now)
  const end = Math.min(before, Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - 1))
  const isOver = sql<boolean>`(starts_at > 0 and starts_at < ${end} or starts_at = 0 and micros = 0)`
  let rows = 0
  for (let after: Position | undefined; ; ) {
    const isAfter = after === undefined ? sql`true` : sql`${key} > ${toKey(after)}`
    const window = await sql<Position & { readonly over: number }>`
      select owner_kind, owner_id, starts_at, case when ${isOver} then 1 else 0 end as over from spending
        where ${isAfter} order by owner_kind, owner_id, starts_at limit ${rowsPerQuery}`.execute(db)
    const last = window.rows.at(-1)
    if (last === undefined) return rows
    const over = window.rows.filter((row) => row.over === 1).length
    const remove = sql`delete from spending where ${isAfter} and ${key} <= ${toKey(last)} and ${isOver}`
    if (over > 0 && !dryRun) rows += Number((await commit(() => remove.execute(db))).numAffectedRows)
    else rows += over
    after = last
  }
}

const key = sql`(owner_kind, owner_id, starts_at)`

function toKey({ owner_kind, owner_id, starts_at }: Position): RawBuilder<unknown> {
  return sql`(${owner_kind}, ${owner_id}, ${starts_at})`
}
