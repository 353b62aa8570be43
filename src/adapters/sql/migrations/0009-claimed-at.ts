import type { Kysely } from 'kysely'

/** The time at which a unit was claimed. After a breaker was open, only units claimed since then count as its trial. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('units')
    .addColumn('claimed_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
