import type { Kysely } from 'kysely'

/** The rules of faults on demand, and the units that they took. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('faults')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('times', 'bigint')
    .addColumn('every', 'bigint', (column) => column.notNull())
    .addColumn('matched', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('fired', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('fault_units')
    .addColumn('unit_id', 'text', (column) => column.primaryKey())
    .addColumn('fault_id', 'text', (column) => column.notNull())
    .execute()
}
