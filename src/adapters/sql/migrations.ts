import { type Kysely, type Migration, sql } from 'kysely'
import { isPostgres } from './usage-days.js'

/** A change of the tables. */
export interface SchemaStep extends Migration {
  /**
   * True for a contract step: only programs that know it can use the tables after it. Without it the step is an expand step,
   * and the programs that were there before go on.
   */
  readonly isContract?: true
}

/** Steps by name, in the order of their names. */
export type SchemaSteps = Readonly<Record<string, SchemaStep>>

/** All steps. A name that has shipped is never changed. */
export const migrations: SchemaSteps = {
  '0001-initial': { up: initial },
  '0002-tasks': { up: tasks },
  '0003-home-insights': { up: homeInsights },
  '0004-diary': { up: diary },
  '0006-idempotency-holder': { up: idempotencyHolder },
  '0007-requests': { up: requests },
  '0008-models': { up: models },
  '0009-claimed-at': { up: claimedAt },
  '0010-shared-pictures': { up: sharedPictures },
  '0011-call-ids': { up: callIds },
  '0012-holders': { up: holders },
  '0013-settings': { up: settings, isContract: true },
  '0014-holder-models': { up: holderModels },
  '0015-shares': { up: shares },
  '0016-spending': { up: spending },
  '0017-deleters': { up: deleters },
  '0020-log-lines': { up: logLines },
  '0021-traceparent': { up: traceparent },
  '0022-faults': { up: faults },
  '0023-usage-days': { up: usageDays },
  '0024-growth': { up: growth },
  '0025-spending-months': { up: spendingMonths },
  '0026-log-ids': { up: logIds },
  '0027-pets-of-keys': { up: petsOfKeys },
}

/** Keys, rate counters, and the two append-only tables, which have no index so that appending stays cheap. */
async function initial(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .addColumn('endpoints', 'text')
    .addColumn('models', 'text')
    .addColumn('capabilities', 'text', (column) => column.notNull())
    .addColumn('rate_limit', 'bigint', (column) => column.notNull())
    .addColumn('is_admin', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('replaces', 'text')
    .execute()
  await db.schema
    .createTable('insight_archive')
    .addColumn('insight_id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('user_hash', 'text', (column) => column.notNull())
    .addColumn('pet_hash', 'text', (column) => column.notNull())
    .addColumn('metric', 'text', (column) => column.notNull())
    .addColumn('view_window', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('rule_id', 'text', (column) => column.notNull())
    .addColumn('rule_version', 'text', (column) => column.notNull())
    .addColumn('fact_version', 'text', (column) => column.notNull())
    .addColumn('summary_hash', 'text', (column) => column.notNull())
    .addColumn('generated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('usage_entries')
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('pet_id', 'text', (column) => column.notNull())
    .addColumn('missing_id', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('rate_slots')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('slot_at', 'bigint', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('rate_slots_pk', ['key_id', 'slot_at'])
    .execute()
}

/**
 * Tasks, the queue of their units, the ledger of paid calls, feedback and idempotency keys. The partial indexes hold only
 * unfinished units, or the rows of a list, so claims stay as fast as on an empty database.
 */
async function tasks(db: Kysely<unknown>): Promise<void> {
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

/** Insight cards, with an index for each of their two lists. */
async function homeInsights(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('home_insights')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('pet_id', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('local_date', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('home_insights_by_user')
    .on('home_insights')
    .columns(['user_id', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('home_insights_by_pet')
    .on('home_insights')
    .columns(['user_id', 'pet_id', 'created_at', 'id'])
    .execute()
}

/** Diary pictures: the columns and indexes of their lists and lookups, and the pictures chosen for a day. */
async function diary(db: Kysely<unknown>): Promise<void> {
  for (const column of ['species', 'scene_id', 'recipe']) {
    await db.schema.alterTable('tasks').addColumn(column, 'text').execute()
  }
  const isDiary = sql<boolean>`kind = 'diary'`
  const lists = { diary: ['created_at', 'id'], diary_by_user: ['user_id', 'created_at', 'id'] }
  for (const [name, columns] of Object.entries(lists)) {
    await db.schema.createIndex(`tasks_${name}`).on('tasks').columns(columns).where(isDiary).execute()
  }
  await db.schema
    .createIndex('tasks_by_recipe')
    .on('tasks')
    .columns(['recipe', 'pet_id', 'user_id', 'created_at', 'id'])
    .where(sql<boolean>`kind = 'diary' and status = 'success'`)
    .execute()
  await db.schema
    .createIndex('tasks_by_scene')
    .on('tasks')
    .columns(['pet_id', 'user_id', 'species', 'scene_id', 'created_at', 'id'])
    .where(sql<boolean>`kind = 'diary' and status = 'success' and parent_id is not null`)
    .execute()
  await db.schema
    .createTable('diary_counts')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('total', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('selections')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('pet_id', 'text', (column) => column.notNull())
    .addColumn('diary_id', 'text')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('image_id', 'text', (column) => column.notNull())
    .addColumn('scene_id', 'text', (column) => column.notNull())
    .addColumn('score', 'real', (column) => column.notNull())
    .addColumn('matched', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
}

/** The process that handles the request of an idempotency key. If it is gone, the request will never end. */
async function idempotencyHolder(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency_keys').addColumn('holder_id', 'text').execute()
}

/**
 * Indexes for joining the request log: by time first, so a new row goes to the end of the index, then by request ID.
 * Migration 0011 replaces them.
 */
async function requests(db: Kysely<unknown>): Promise<void> {
  for (const table of ['tasks', 'usage_entries']) {
    await db.schema.createIndex(`${table}_by_time`).on(table).columns(['created_at', 'request_id']).execute()
  }
}

/**
 * Budgets of keys, reservations of queued units, and breakers of providers. The partial indexes hold only paid calls: they
 * stay empty if everything is free.
 */
async function models(db: Kysely<unknown>): Promise<void> {
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

/** The time at which a unit was claimed. After a breaker was open, only units claimed since then count as its trial. */
async function claimedAt(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('units')
    .addColumn('claimed_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}

/** The newest task of each shared picture: a row to lock, even before the task exists. */
async function sharedPictures(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shared_pictures')
    .addColumn('recipe', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('shared_pictures_pk', ['recipe', 'provider'])
    .execute()
}

/**
 * The ID of the call that created a row, which joins the row to the request log. Its indexes replace those by time. A call ID
 * begins with its time, so a new row goes to the end of the index.
 */
async function callIds(db: Kysely<unknown>): Promise<void> {
  for (const table of ['tasks', 'usage_entries', 'insight_archive']) {
    await db.schema.alterTable(table).addColumn('call_id', 'text').execute()
  }
  for (const table of ['tasks', 'usage_entries']) {
    await db.schema.dropIndex(`${table}_by_time`).execute()
    await db.schema
      .createIndex(`${table}_by_call`)
      .on(table)
      .column('call_id')
      .where(sql<boolean>`call_id is not null`)
      .execute()
  }
}

/** The processes that work on a database of several machines. On SQLite, holders are locks of files. */
async function holders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('holders')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('beat_at', 'bigint', (column) => column.notNull())
    .execute()
}

/** Values on which all processes of a database must agree. */
async function settings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

/** Programs without this step do not know that a newer schema may be usable. */

/** The models that each process makes pictures with, so that a difference between processes shows. */
async function holderModels(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('holders').addColumn('models', 'text').execute()
}

/** The work that a holder asked for last: the living holders that ask for the same share its slots. */
async function shares(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('holders')
    .addColumn('asked_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('holders')
    .addColumn('asks', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
}

const dayMs = 86_400_000
const owners = ['key', 'pet'] as const

/**
 * The sums of paid calls per day, and of reservations (`starts_at` 0), by key and by pet: a budget reads a few rows, for any
 * size of the ledger. Triggers keep the sums, for programs of the former version too.
 */
async function spending(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('spending')
    .addColumn('owner_kind', 'text', (column) => column.notNull())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('starts_at', 'bigint', (column) => column.notNull())
    .addColumn('micros', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('spending_pk', ['owner_kind', 'owner_id', 'starts_at'])
    .execute()
  const paidOn = `created_at - new.created_at % ${dayMs}`
  await createTrigger(db, 'usage_ledger', 'insert', toUpserts(`new.${paidOn}`, 'new', 'new.cost_micros'))
  await createTrigger(db, 'reservations', 'insert', toUpserts('0', 'new', 'new.cost_micros'))
  await createTrigger(db, 'reservations', 'delete', toUpserts('0', 'old', '-old.cost_micros'))
  for (const owner of owners) {
    await sql`insert into spending (owner_kind, owner_id, starts_at, micros)
      select ${sql.lit(owner)}, ${sql.ref(`${owner}_id`)}, created_at - created_at % ${sql.lit(dayMs)}, sum(cost_micros)
        from usage_ledger where cost_micros > 0 group by 2, 3`.execute(db)
    await sql`insert into spending (owner_kind, owner_id, starts_at, micros)
      select ${sql.lit(owner)}, ${sql.ref(`${owner}_id`)}, 0, sum(cost_micros)
        from reservations group by 2`.execute(db)
  }
}

/** Adds an amount to the sum of the key first, and then of the pet: transactions of one key never wait for each other twice. */
function toUpserts(startsAt: string, row: 'new' | 'old', micros: string): string {
  return owners
    .map(
      (owner) => `insert into spending (owner_kind, owner_id, starts_at, micros)
        values ('${owner}', ${row}.${owner}_id, ${startsAt}, ${micros})
        on conflict (owner_kind, owner_id, starts_at) do update set micros = spending.micros + excluded.micros;`,
    )
    .join('\n')
}

async function createTrigger(db: Kysely<unknown>, table: string, event: 'insert' | 'delete', body: string) {
  const name = `${table}_spent_on_${event}`
  const head = `create trigger ${name} after ${event} on ${table} for each row`
  const isPaid = `when (${event === 'insert' ? 'new' : 'old'}.cost_micros > 0)`
  if (!isPostgres(db)) {
    await sql.raw(`${head} ${isPaid} begin ${body} end`).execute(db)
    return
  }
  const returned = event === 'insert' ? 'new' : 'old'
  await sql
    .raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return ${returned}; end $$`)
    .execute(db)
  await sql.raw(`${head} ${isPaid} execute function ${name}()`).execute(db)
}

/** The process that deletes a task. If it is gone, another one finishes the deletion. */
async function deleters(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('tasks').addColumn('deleter', 'text').execute()
}

/** The lines of the request log, if the log is kept in the database. */
async function logLines(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('log_lines')
    .addColumn('instance', 'text', (column) => column.notNull())
    .addColumn('line_number', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text')
    .addColumn('caller_request_id', 'text')
    .addColumn('trace_id', 'text')
    .addColumn('status', 'integer')
    .addColumn('line', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('log_lines_pk', ['instance', 'line_number'])
    .execute()
  await db.schema.createIndex('log_lines_by_time').on('log_lines').column('at').execute()
  for (const column of ['request_id', 'caller_request_id', 'trace_id']) {
    await db.schema
      .createIndex(`log_lines_by_${column}`)
      .on('log_lines')
      .column(column)
      .where(sql<boolean>`${sql.ref(column)} is not null`)
      .execute()
  }
}

/** The trace context of the call that created a task, so that any process can continue its trace. */
async function traceparent(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('tasks').addColumn('traceparent', 'text').execute()
}

/** The rules of faults on demand, and the units that they took. */
async function faults(db: Kysely<unknown>): Promise<void> {
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

/**
 * Usage per day, summed by pet, user, key and model, so that a report reads neither all calls nor all paid calls. On
 * PostgreSQL small indexes find the rows of a day; each covers many rows, which are stored in the order of their times.
 */
async function usageDays(db: Kysely<unknown>): Promise<void> {
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

/** The tables from which old rows are deleted, and the columns of their times. */
const times = {
  ...{ usage_entries: 'created_at', usage_ledger: 'created_at', insight_archive: 'generated_at' },
  ...{ home_insights: 'created_at', selections: 'created_at' },
}

/**
 * Indexes with which the time for lists of tasks, and for the deletion of old rows, does not grow with finished work. On
 * PostgreSQL only: on SQLite each of them would make a create take 15 % longer, and a folder stays small enough to be read.
 *
 * The indexes by time replace block ranges: after a deletion new rows fill old blocks, whose ranges then cover all times.
 */
async function growth(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  for (const [table, column] of Object.entries(times)) {
    await db.schema.dropIndex(`${table}_by_time`).ifExists().execute()
    await db.schema.createIndex(`${table}_by_time`).on(table).column(column).execute()
  }
  for (const column of ['user_id', 'pet_id']) {
    await db.schema.createIndex(`tasks_by_${column}`).on('tasks').columns([column, 'created_at', 'id']).execute()
  }
  await db.schema
    .createIndex('tasks_by_status')
    .on('tasks')
    .columns(['status', 'created_at', 'id'])
    .where(sql<boolean>`status <> 'success'`)
    .execute()
}

/**
 * The sums of paid calls per month, besides those per day: a budget reads one row for its window. They have owner kinds of
 * their own, which programs of the former version do not read.
 */
async function spendingMonths(db: Kysely<unknown>): Promise<void> {
  const day = `new.created_at - new.created_at % ${dayMs}`
  const upserts = owners.flatMap((owner) => [
    toUpsert(owner, `new.${owner}_id`, day),
    toUpsert(`${owner} month`, `new.${owner}_id`, toMonth(db, 'new.created_at')),
  ])
  const name = 'usage_ledger_spent_on_insert'
  if (isPostgres(db)) {
    // Calls that are booked meanwhile would be missing in the sums.
    await sql`lock table usage_ledger in exclusive mode`.execute(db)
    await sql
      .raw(`create or replace function ${name}() returns trigger language plpgsql as $$
        begin ${upserts.join('\n')} return new; end $$`)
      .execute(db)
  } else {
    await sql.raw(`drop trigger ${name}`).execute(db)
    await sql
      .raw(`create trigger ${name} after insert on usage_ledger for each row when (new.cost_micros > 0)
        begin ${upserts.join('\n')} end`)
      .execute(db)
  }
  await sql`insert into spending (owner_kind, owner_id, starts_at, micros)
    select owner_kind || ' month', owner_id, ${sql.raw(toMonth(db, 'starts_at'))}, sum(micros)
      from spending where starts_at > 0 group by 1, 2, 3`.execute(db)
}

function toUpsert(kind: string, ownerId: string, startsAt: string): string {
  return `insert into spending (owner_kind, owner_id, starts_at, micros)
    values ('${kind}', ${ownerId}, ${startsAt}, new.cost_micros)
    on conflict (owner_kind, owner_id, starts_at) do update set micros = spending.micros + excluded.micros;`
}

/** Returns the start of the month of a time, in UTC. */
function toMonth(db: Kysely<unknown>, time: string): string {
  return isPostgres(db)
    ? `cast(extract(epoch from date_trunc('month', to_timestamp(${time} / 1000) at time zone 'UTC')) * 1000 as bigint)`
    : `cast(strftime('%s', ${time} / 1000, 'unixepoch', 'start of month') as integer) * 1000`
}

/** IDs in the order in which lines of the request log are written. On SQLite the log has a file of its own, which has them. */
async function logIds(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  await sql`alter table log_lines add column id bigint generated by default as identity`.execute(db)
  await db.schema.createIndex('log_lines_by_id').unique().on('log_lines').column('id').execute()
}

async function petsOfKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('pets', 'text').execute()
}
