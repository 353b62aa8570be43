import type { Kysely } from 'kysely'

/** The process that handles the request of an idempotency key. If it is gone, the request will never end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency_keys').addColumn('holder_id', 'text').execute()
}
