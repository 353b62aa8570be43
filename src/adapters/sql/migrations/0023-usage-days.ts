import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../usage-days.js'

/**
 * Usage per day, summed by pet, user, key and model, so that a report reads neither all calls nor all paid calls. On
 * PostgreSQL small indexes find the rows of a day; each covers many rows, which are stored in the order of their times.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const table = db.schema
    .createTable('usage_days')
    .addColumn('summed_by', 'text', (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('missing', 'text', (column) => column.notNull())
  await ['pet_id', 'user_id', 'key_id', 'model']
    .reduce((columns, name) => columns.addColumn(name, 'text'), table)
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('units', 'bigint', (column) => column.notNull())
    .addColumn('cost', 'bigint', (column) => column.notNull())
    .addColumn('maybe_cost', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_days_pk', ['summed_by', 'day', 'name', 'missing'])
    .execute()
  if (!isPostgres(db)) return
  const times = { usage_entries: 'created_at', usage_ledger: 'created_at', insight_archive: 'generated_at' }
  for (const [name, column] of Object.entries(times)) {
    await sql`create index ${sql.ref(`${name}_by_time`)} on ${sql.table(name)}
      using brin (${sql.ref(column)}) with (pages_per_range = 16, autosummarize = on)`.execute(db)
  }
}
