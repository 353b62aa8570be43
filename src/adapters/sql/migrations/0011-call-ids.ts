import { type Kysely, sql } from 'kysely'

/**
 * The ID of the call that created a row, which joins the row to the request log. Its indexes replace those by time. A call ID
 * begins with its time, so a new row goes to the end of the index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['tasks', 'usage_entries', 'insight_archive']) {
    await db.schema.alterTable(table).addColumn('call_id', 'text').execute()
  }
  for (const table of ['tasks', 'usage_entries']) {
    await db.schema.dropIndex(`${table}_by_time`).execute()
    await db.schema
      .createIndex(`${table}_by_call`)
      .on(table)
      .column('call_id')
      .where(sql<boolean>`call_id is not null`)
      .execute()
  }
}
