import type { Kysely } from 'kysely'

/** Of each shared picture the task that was created for it last: a row to lock, also while there is no such task. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shared_pictures')
    .addColumn('recipe', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('shared_pictures_pk', ['recipe', 'provider'])
    .execute()
}
