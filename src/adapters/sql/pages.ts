import { type SelectQueryBuilder, sql } from 'kysely'
import type { RunWork } from './database.js'
import type { Tables } from './tables.js'

/** Returns the number of rows before a page; `page` counts from 1. Capped at the largest safe integer. */
export function offsetOf(page: number, pageSize: number): number {
  return Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER)
}

/** Reads a page of the selected rows, the latest first by a column and then by ID, and counts all rows. */
export async function readPage<T extends 'tasks' | 'home_insights'>(
  run: RunWork,
  rows: SelectQueryBuilder<Tables, T, object>,
  latest: 'created_at' | 'finished_at',
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
) {
  const { total } = await run(() => rows.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow())
  const sorted = rows.selectAll().orderBy(sql.ref(latest), 'desc').orderBy(sql.ref('id'), 'desc')
  const items = await run(() => sorted.limit(pageSize).offset(offsetOf(page, pageSize)).execute())
  return { total: Number(total), items }
}
