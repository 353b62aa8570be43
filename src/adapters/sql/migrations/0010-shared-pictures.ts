import type { Kysely } from 'kysely'

/** The newest task of each shared picture: a row to lock, even before the task exists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shared_pictures')
    .addColumn('recipe', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('shared_pictures_pk', ['recipe', 'provider'])
    .execute()
}
