import type { Kysely } from 'kysely'

/** The process that deletes a task. If it is gone, another one finishes the deletion. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('tasks').addColumn('deleter', 'text').execute()
}
