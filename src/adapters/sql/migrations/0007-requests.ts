import type { Kysely } from 'kysely'

/**
 * What calls of the log are found by. Usage by its time first, so that a new row still goes to the end; by the request too,
 * so that those of other calls of that time are told apart in the index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('tasks_by_request').on('tasks').columns(['request_id', 'created_at']).execute()
  await db.schema
    .createIndex('usage_entries_by_time')
    .on('usage_entries')
    .columns(['created_at', 'request_id'])
    .execute()
}
