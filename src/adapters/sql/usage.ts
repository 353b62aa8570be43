import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Task } from '../../ports/tasks.js'
import type { LedgerEntry, UsageFilter, UsageGroup, UsageStore, UsageSum } from '../../ports/usage.js'
import type { StoreParts } from './database.js'
import { offsetOf } from './pages.js'
import type { Tables } from './tables.js'
import { dayMs, findSummedUntil, selectBooked, selectSame, usageColumns } from './usage-days.js'

const columns = { ...usageColumns, day: 'day' } as const
type UsageColumn = (typeof columns)[UsageGroup]

/** Sums usage in a thread, because the query reads all that is not summed per day yet. */
export function createUsageStore({ db, reader, runDurably, sumDays }: StoreParts): UsageStore {
  return {
    async bookCall({ id, maker, usage, isDelivered, at }) {
      const task = { id, keyId: maker, owner: { userId: maker, petId: maker, missing: [] } }
      const unit = { id, claims: 1 }
      const booking = { unit, task, usage: { ...usage, delivered: isDelivered }, now: at.getTime() }
      await runDurably(() => insertLedgerEntry(db, booking))
    },
    async sumPastDays() {
      await sumDays?.()
    },
    async sumUsage(by, filter, page, pageSize) {
      await sumDays?.()
      const summedUntil = await runDurably(() => findSummedUntil(db))
      const all = selectAll(by, filter, summedUntil)
      const column = columns[by]
      const count = sql`select count(distinct ${sql.ref(column)}) as total from (${all}) as booked`
      const sums = selectSums(column, all, offsetOf(page, pageSize), pageSize)
      const queries = [count.compile(db), sums.compile(db)]
      const [counted = [], rows = []] = await runDurably(() => reader.read(queries))
      const { total } = counted[0] as { total: number | string }
      return { total: Number(total), items: (rows as SumRow[]).map(toSum) }
    },
  }
}

/** The largest sum comes first, or the latest day. */
function selectSums(column: UsageColumn, all: RawBuilder<unknown>, offset: number, limit: number): RawBuilder<unknown> {
  const same = Object.values(columns).map((name) => sql`${selectSame(name)} as ${sql.ref(name)}`)
  const isMissing = (name: string) => sql`max(case when missing like ${sql.lit(`%"${name}"%`)} then 1 else 0 end)`
  const order = column === 'day' ? sql`day desc` : sql`cost desc, units desc, requests desc, ${sql.ref(column)}`
  return sql`
    select
      ${sql.join(same)},
      ${isMissing('user_id')} as misses_user, ${isMissing('pet_id')} as misses_pet,
      sum(requests) as requests, sum(units) as units, sum(cost) as cost, sum(maybe_cost) as maybe_cost
    from (${all}) as booked
    group by booked.${sql.ref(column)}
    order by ${order}
    limit ${limit} offset ${offset}`
}

/** Selects the sums of days, and the calls since then. Days are summed from their sums by key, which are the fewest. */
function selectAll(by: UsageGroup, { isMissingId, from, to }: UsageFilter, summedUntil: number): RawBuilder<unknown> {
  const missing = isMissingId === undefined ? sql`` : isMissingId ? sql`and missing <> '[]'` : sql`and missing = '[]'`
  const start = from === undefined ? 0 : Date.parse(from)
  const end = to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to) + dayMs
  const calls = sql`where created_at >= ${Math.max(start, summedUntil)} and created_at < ${end} ${missing}`
  return sql`
    select pet_id, user_id, key_id, model, missing, day, requests, units, cost, maybe_cost from usage_days
    where summed_by = ${sql.lit(by === 'day' ? 'key' : by)} ${missing}
      and day >= ${Math.floor(start / dayMs)} and day < ${Math.ceil(Math.min(end, summedUntil) / dayMs)}
    union all
    ${selectBooked(calls)}`
}

type SumRow = Readonly<Record<'pet_id' | 'user_id' | 'key_id' | 'model', string | null>> &
  Readonly<Record<'misses_user' | 'misses_pet' | 'requests' | 'units' | 'cost' | 'maybe_cost', number>> & {
    readonly day: number | null
  }

function toSum(row: SumRow): UsageSum {
  return {
    petId: row.pet_id,
    userId: row.user_id,
    keyId: row.key_id,
    model: row.model,
    day: row.day === null ? null : new Date(Number(row.day) * dayMs).toISOString().slice(0, 10),
    missing: [
      ...(row.misses_user === 1 ? (['user_id'] as const) : []),
      ...(row.misses_pet === 1 ? (['pet_id'] as const) : []),
    ],
    requests: Number(row.requests),
    units: Number(row.units),
    costMicros: Number(row.cost),
    maybeCostMicros: Number(row.maybe_cost),
  }
}

interface Booking {
  readonly unit: { readonly id: string; readonly claims: number }
  readonly task: Pick<Task, 'id' | 'keyId' | 'owner'>
  readonly usage: LedgerEntry & { readonly delivered: boolean }
  readonly now: number
}

/** Books a call on the task's owner and key. An interrupted claim used a number too, so `attempt` may have gaps. */
export async function insertLedgerEntry(tx: Kysely<Tables>, { unit, task, usage, now }: Booking): Promise<void> {
  const row: Insertable<Tables['usage_ledger']> = {
    unit_id: unit.id,
    attempt: unit.claims,
    task_id: task.id,
    key_id: task.keyId,
    user_id: task.owner.userId,
    pet_id: task.owner.petId,
    missing: JSON.stringify(task.owner.missing),
    model: usage.model,
    unit: usage.unit,
    quantity: usage.quantity,
    delivered: usage.delivered ? usage.quantity : 0,
    cost_micros: usage.costMicros,
    certain: usage.certain ? 1 : 0,
    maybe_duplicate: usage.maybeDuplicate ? 1 : 0,
    created_at: now,
  }
  await tx.insertInto('usage_ledger').values(row).execute()
}
