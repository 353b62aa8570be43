import type { Kysely } from 'kysely'

/** When a unit was claimed: of a breaker that was open, only what began since is a try. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('units')
    .addColumn('claimed_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
