import { findSummable, sumDays } from '../usage-days.js'
import { pruneSpending } from './spending-pruner.js'
import type { UpkeepDatabase } from './upkeep-database.js'

export interface RowPruneOptions {
  readonly before: number
  readonly now: number
  readonly dryRun: boolean
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

function prune(database: UpkeepDatabase, table: string, column: string, end: number, dryRun: boolean): Promise<number> {
  return dryRun ? database.countBefore(table, column, end) : database.deleteBefore(table, column, end)
}
