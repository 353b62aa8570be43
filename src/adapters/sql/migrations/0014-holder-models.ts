import type { Kysely } from 'kysely'

/** The models that each process makes pictures with, so that a difference between processes shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('holders').addColumn('models', 'text').execute()
}
