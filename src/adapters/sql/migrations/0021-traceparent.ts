import type { Kysely } from 'kysely'

/** The trace context of the call that created a task, so that any process can continue its trace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('tasks').addColumn('traceparent', 'text').execute()
}
