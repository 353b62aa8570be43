import type { Kysely } from 'kysely'

/**
 * Indexes for joining the request log: by time first, so a new row goes to the end of the index, then by request ID.
 * Migration 0011 replaces them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['tasks', 'usage_entries']) {
    await db.schema.createIndex(`${table}_by_time`).on(table).columns(['created_at', 'request_id']).execute()
  }
}
