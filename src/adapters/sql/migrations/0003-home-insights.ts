import type { Kysely } from 'kysely'

/** Insight cards, with an index for each of their two lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('home_insights')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('pet_id', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('local_date', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('home_insights_by_user')
    .on('home_insights')
    .columns(['user_id', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('home_insights_by_pet')
    .on('home_insights')
    .columns(['user_id', 'pet_id', 'created_at', 'id'])
    .execute()
}
