import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../usage-days.js'

const dayMs = 86_400_000
const owners = ['key', 'pet'] as const

/**
 * The sums of paid calls per day, and of reservations (`starts_at` 0), by key and by pet: a budget reads a few rows, for any
 * size of the ledger. Triggers keep the sums, for programs of the former version too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
