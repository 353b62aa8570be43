import type { Kysely } from 'kysely'

/** The processes that work on a database of several machines. On SQLite, holders are locks of files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('holders')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('beat_at', 'bigint', (column) => column.notNull())
    .execute()
}
