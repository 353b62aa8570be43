import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../usage-days.js'

/** The tables from which old rows are deleted, and the columns of their times. */
const times = {
  ...{ usage_entries: 'created_at', usage_ledger: 'created_at', insight_archive: 'generated_at' },
  ...{ home_insights: 'created_at', selections: 'created_at' },
}

/**
 * Indexes with which the time for lists of tasks, and for the deletion of old rows, does not grow with finished work. On
 * PostgreSQL only: on SQLite each of them would make a create take 15 % longer, and a folder stays small enough to be read.
 *
 * The indexes by time replace block ranges: after a deletion new rows fill old blocks, whose ranges then cover all times.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  for (const [table, column] of Object.entries(times)) {
    await db.schema.dropIndex(`${table}_by_time`).ifExists().execute()
    await db.schema.createIndex(`${table}_by_time`).on(table).column(column).execute()
  }
  for (const column of ['user_id', 'pet_id']) {
    await db.schema.createIndex(`tasks_by_${column}`).on('tasks').columns([column, 'created_at', 'id']).execute()
  }
  await db.schema
    .createIndex('tasks_by_status')
    .on('tasks')
    .columns(['status', 'created_at', 'id'])
    .where(sql<boolean>`status <> 'success'`)
    .execute()
}
