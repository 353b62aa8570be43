import type { Kysely } from 'kysely'

/** Who works on the request of an idempotency key: whether that process still lives tells whether it ever ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency_keys').addColumn('holder_id', 'text').execute()
}
