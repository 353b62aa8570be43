import type { Kysely } from 'kysely'

/** What calls of the log are found by. Usage by its time, not by its request: so a new row still goes to the end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('tasks_by_request').on('tasks').columns(['request_id', 'created_at']).execute()
  await db.schema.createIndex('usage_entries_by_time').on('usage_entries').column('created_at').execute()
}
