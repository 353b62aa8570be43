import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../usage-days.js'

const dayMs = 86_400_000
const owners = ['key', 'pet'] as const

/**
 * The sums of paid calls per month, besides those per day: a budget reads one row for its window. They have owner kinds of
 * their own, which programs of the former version do not read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
