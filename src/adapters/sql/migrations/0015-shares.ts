import type { Kysely } from 'kysely'

/** The work that a holder asked for last: the living holders that ask for the same share its slots. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('holders')
    .addColumn('asked_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('holders')
    .addColumn('asks', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
}
