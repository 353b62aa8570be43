import { type Kysely, sql } from 'kysely'

/**
 * Budgets of keys, reservations of queued units, and breakers of providers. The partial indexes hold only paid calls: they
 * stay empty if everything is free.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('budget_micros', 'bigint').execute()
  await db.schema.alterTable('api_keys').addColumn('budget_per', 'text').execute()
  await db.schema
    .createTable('reservations')
    .addColumn('unit_id', 'text', (column) => column.primaryKey())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('pet_id', 'text', (column) => column.notNull())
    .addColumn('cost_micros', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('breakers')
    .addColumn('provider', 'text', (column) => column.primaryKey())
    .addColumn('trouble', 'text', (column) => column.notNull())
    .addColumn('open_until', 'bigint', (column) => column.notNull())
    .addColumn('openings', 'integer', (column) => column.notNull())
    .execute()
  for (const owner of ['key', 'pet']) {
    await db.schema.createIndex(`reservations_by_${owner}`).on('reservations').column(`${owner}_id`).execute()
    await db.schema
      .createIndex(`usage_ledger_by_${owner}`)
      .on('usage_ledger')
      .columns([`${owner}_id`, 'created_at'])
      .where(sql<boolean>`cost_micros > 0`)
      .execute()
  }
}
