import type { Kysely } from 'kysely'

/** Values on which all processes of a database must agree. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

/** Programs without this step do not know that a newer schema may be usable. */
export const isContract = true
