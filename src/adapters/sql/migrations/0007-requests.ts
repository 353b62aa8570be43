import type { Kysely } from 'kysely'

/**
 * What calls of the log are found by: by their time first, so that a new row goes to the end; by the request too, so that
 * those of other calls of that time are told apart in the index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['tasks', 'usage_entries']) {
    await db.schema.createIndex(`${table}_by_time`).on(table).columns(['created_at', 'request_id']).execute()
  }
}
