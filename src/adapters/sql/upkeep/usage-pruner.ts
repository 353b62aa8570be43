import { sql } from 'kysely'
import { findSummable, sumDays } from '../usage-days.js'
import type { UpkeepDatabase } from './upkeep-database.js'

/** The tables with a row per call, and their times. */
const callTables = { insight_archive: 'generated_at', usage_entries: 'created_at', usage_ledger: 'created_at' } as const

/**
 * Deletes the archive of insights and the single records of usage that are older than `before`, or only counts them. The
 * sums per day stay. Returns the number of rows.
 */
export async function pruneUsage(
  database: UpkeepDatabase,
  { before, now, dryRun }: { readonly before: number; readonly now: number; readonly dryRun: boolean },
): Promise<number> {
  const { db, engine, commit } = database
  const summedUntil = dryRun ? findSummable(now) : await sumDays(db, engine, commit, now)
  const end = Math.min(before, summedUntil)
  let rows = 0
  for (const [table, column] of Object.entries(callTables)) {
    rows += dryRun ? await countBefore(database, table, column, end) : await database.deleteBefore(table, column, end)
  }
  return rows
}

async function countBefore({ db }: UpkeepDatabase, table: string, column: string, end: number): Promise<number> {
  const select = sql<{
    total: number
  }>`select count(*) as total from ${sql.table(table)} where ${sql.ref(column)} < ${end}`
  return Number((await select.execute(db)).rows[0]?.total)
}
