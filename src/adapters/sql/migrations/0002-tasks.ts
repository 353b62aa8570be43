import { type Kysely, sql } from 'kysely'

/**
 * Tasks, the queue of their units, the ledger of paid calls, feedback and idempotency keys. The partial indexes hold only
 * unfinished units, or the rows of a list, so claims stay as fast as on an empty database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTasks(db)
  await createUnits(db)
  await createLedger(db)
  await db.schema
    .createTable('feedback')
    .addColumn('object_key', 'text', (column) => column.primaryKey())
    .addColumn('liked', 'integer')
    .addColumn('selected', 'integer')
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('body', 'text')
    .addColumn('held_until', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('idempotency_keys_expiry').on('idempotency_keys').column('expires_at').execute()
}

async function createTasks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tasks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('pet_id', 'text', (column) => column.notNull())
    .addColumn('missing', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('parent_id', 'text')
    .addColumn('input', 'text', (column) => column.notNull())
    .addColumn('units', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('tasks_finished_avatars')
    .on('tasks')
    .columns(['user_id', 'finished_at', 'id'])
    .where(sql<boolean>`kind = 'avatar' and status = 'success'`)
    .execute()
  await db.schema
    .createIndex('tasks_by_parent')
    .on('tasks')
    .columns(['parent_id', 'created_at', 'id'])
    .where(sql<boolean>`parent_id is not null`)
    .execute()
  await db.schema
    .createIndex('tasks_deleting')
    .on('tasks')
    .column('id')
    .where(sql<boolean>`status = 'deleting'`)
    .execute()
}

async function createUnits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('units')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('run_at', 'bigint', (column) => column.notNull())
    .addColumn('deadline_at', 'bigint', (column) => column.notNull())
    .addColumn('claims', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('lease', 'text')
    .addColumn('lease_expires_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('holder_id', 'text')
    .addColumn('memo', 'text')
    .addColumn('image_key', 'text')
    .execute()
  const pending = sql<boolean>`status = 'pending'`
  await db.schema.createIndex('units_due').on('units').columns(['provider', 'run_at', 'id']).where(pending).execute()
  await db.schema.createIndex('units_overdue').on('units').column('deadline_at').where(pending).execute()
  await db.schema
    .createIndex('units_leased')
    .on('units')
    .columns(['lease_expires_at', 'holder_id', 'provider'])
    .where(sql<boolean>`status = 'processing'`)
    .execute()
  await db.schema
    .createIndex('units_by_lease')
    .on('units')
    .column('lease')
    .unique()
    .where(sql<boolean>`lease is not null`)
    .execute()
  await db.schema
    .createIndex('units_by_image')
    .on('units')
    .column('image_key')
    .where(sql<boolean>`image_key is not null`)
    .execute()
}

async function createLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_ledger')
    .addColumn('unit_id', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('pet_id', 'text', (column) => column.notNull())
    .addColumn('missing', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('unit', 'text', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('delivered', 'integer', (column) => column.notNull())
    .addColumn('cost_micros', 'bigint', (column) => column.notNull())
    .addColumn('certain', 'integer', (column) => column.notNull())
    .addColumn('maybe_duplicate', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_ledger_pk', ['unit_id', 'attempt'])
    .execute()
  await db.schema
    .alterTable('usage_entries')
    .addColumn('missing', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
  await db.schema
    .alterTable('usage_entries')
    .addColumn('model', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
