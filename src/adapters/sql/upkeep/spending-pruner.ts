import { type RawBuilder, sql } from 'kysely'
import type { UpkeepDatabase } from './upkeep-database.js'

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
export async function pruneSpending(
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
