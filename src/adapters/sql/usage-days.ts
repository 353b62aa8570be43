import { type Kysely, PostgresAdapter, type RawBuilder, sql, type Transaction } from 'kysely'
import type { RunWork } from './database.js'
import { findSetting, saveSetting } from './database.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

export const dayMs = 86_400_000
/** A call may be booked later than the time that it is booked with. */
const lateMs = 2 * 3_600_000
const settingName = 'usage_summed_until'

/** The columns by which usage is summed. */
export const usageColumns = { pet: 'pet_id', user: 'user_id', key: 'key_id', model: 'model' } as const

type Turns = Pick<Engine, 'takeTurn'>

/** Returns the time until which usage is summed per day, epoch milliseconds; 0 if it is not. */
export async function findSummedUntil(db: Kysely<Tables>): Promise<number> {
  return Number((await findSetting(db, settingName)) ?? 0)
}

/**
 * Sums the usage of whole days that are over. Each row is read once in its life on PostgreSQL, a day in each transaction. SQLite
 * finds no row by its time and reads all, without its lock. Returns the time until which usage is summed.
 */
export async function sumDays(db: Kysely<Tables>, engine: Turns, commit: RunWork, now: number): Promise<number> {
  const end = findSummable(now)
  let until = await findSummedUntil(db)
  while (until < end) {
    until = await (isPostgres(db)
      ? commit(() => db.transaction().execute((tx) => sumNext(tx, engine, end)))
      : sumAll(db, commit, until, end))
  }
  return until
}

/** Returns the end of the last day that can be summed. */
export function findSummable(now: number): number {
  return toDay(now - lateMs)
}

const toDay = (time: number) => time - (time % dayMs)

/** Sums the next day. In a turn: no day is summed twice. */
async function sumNext(tx: Transaction<Tables>, engine: Turns, end: number): Promise<number> {
  await engine.takeTurn(tx, 'usage of days')
  await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
  const known = await findSummedUntil(tx)
  const start = known === 0 ? toDay(await findOldest(tx, end)) : known
  if (start >= end) return start === known ? known : save(tx, end)
  await insertSums(tx, selectSums(start, start + dayMs))
  return save(tx, start + dayMs)
}

/** Sums all days since `start`, if no other process does it meanwhile. */
async function sumAll(db: Kysely<Tables>, commit: RunWork, start: number, end: number): Promise<number> {
  await sql`create temp table summed as ${selectSums(start, end)}`.execute(db)
  try {
    return await commit(() =>
      db.transaction().execute(async (tx) => {
        const known = await findSummedUntil(tx)
        if (known !== start) return known
        await insertSums(tx, sql`select * from temp.summed`)
        return save(tx, end)
      }),
    )
  } finally {
    await sql`drop table temp.summed`.execute(db)
  }
}

async function findOldest(tx: Transaction<Tables>, end: number): Promise<number> {
  const { rows } = await sql<{ oldest: number | null }>`
    select min(oldest) as oldest from (select min(created_at) as oldest from usage_entries
      union all select min(created_at) from usage_ledger) as times`.execute(tx)
  return rows[0]?.oldest ?? end
}

async function save(tx: Transaction<Tables>, until: number): Promise<number> {
  await saveSetting(tx, settingName, String(until))
  return until
}

async function insertSums(tx: Transaction<Tables>, sums: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into usage_days (summed_by, day, name, missing, pet_id, user_id, key_id, model, requests, units, cost, maybe_cost)
    ${sums}`.execute(tx)
}

function selectSums(start: number, end: number): RawBuilder<unknown> {
  const sums = Object.entries(usageColumns).map(
    ([summedBy, column]) => sql`
      select ${sql.lit(summedBy)} as summed_by, day, ${sql.ref(column)} as name, missing, ${sameColumns},
        sum(requests), sum(units), sum(cost), sum(maybe_cost)
      from booked group by day, ${sql.ref(column)}, missing`,
  )
  return sql`
    with booked as materialized (
      ${selectBooked(sql`where created_at >= ${sql.lit(start)} and created_at < ${sql.lit(end)}`)}
    ) ${sql.join(sums, sql` union all `)}`
}

/** Selects a column that differs within a sum, or in one of its parts, as null. */
export function selectSame(name: string): RawBuilder<unknown> {
  const each = sql.ref(name)
  return sql`case when count(*) = count(${each}) and min(${each}) = max(${each}) then min(${each}) end`
}

const sameColumns = sql.join(Object.values(usageColumns).map(selectSame))

/** Selects the requests and the paid calls that meet a condition. */
export function selectBooked(where: RawBuilder<unknown>): RawBuilder<unknown> {
  const day = sql`created_at / ${sql.lit(dayMs)} as day`
  return sql`
    select pet_id, user_id, key_id, model, missing, ${day}, 1 as requests, 0 as units, 0 as cost, 0 as maybe_cost
    from usage_entries ${where}
    union all
    select pet_id, user_id, key_id, model, missing, ${day}, 0, delivered, cost_micros,
      case when certain = 0 then cost_micros else 0 end
    from usage_ledger ${where}`
}

/** True on PostgreSQL, for the few statements that differ. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
