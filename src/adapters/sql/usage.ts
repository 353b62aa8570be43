import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { UsageFilter, UsageGroup, UsageStore, UsageSum } from '../../ports/usage.js'
import type { Reader, RetryWhileBusy } from './database.js'
import { insertLedgerEntry } from './ledger.js'
import { offsetOf } from './offset.js'
import type { Tables } from './tables.js'

const dayMs = 86_400_000

const columns = { pet: 'pet_id', user: 'user_id', key: 'key_id', model: 'model', day: 'day' } as const
type Column = (typeof columns)[UsageGroup]

/** Sums usage in a thread, because the query scans both tables, of requests and of model calls. */
export function createUsageStore(db: Kysely<Tables>, reader: Reader, retryWhileBusy: RetryWhileBusy): UsageStore {
  return {
    async bookCall({ id, maker, usage, isDelivered, at }) {
      const task = { id, keyId: maker, owner: { userId: maker, petId: maker, missing: [] } }
      const unit = { id, claims: 1 }
      const booking = { unit, task, usage: { ...usage, delivered: isDelivered }, now: at.getTime() }
      await retryWhileBusy(() => insertLedgerEntry(db, booking))
    },
    async sumUsage(by, filter, page, pageSize) {
      const column = columns[by]
      const count = sql`select count(distinct ${sql.ref(column)}) as total from (${selectAll(filter)}) as booked`
      const sums = selectSums(column, filter, offsetOf(page, pageSize), pageSize)
      const queries = [count.compile(db), sums.compile(db)]
      const [counted = [], rows = []] = await retryWhileBusy(() => reader.read(queries))
      const { total } = counted[0] as { total: number | string }
      return { total: Number(total), items: (rows as SumRow[]).map(toSum) }
    },
  }
}

/** A column that differs within a sum is null. The largest sum comes first, or the latest day. */
function selectSums(column: Column, filter: UsageFilter, offset: number, limit: number): RawBuilder<unknown> {
  const same = (name: Column) => {
    const each = sql.ref(name)
    return sql`case when min(${each}) = max(${each}) then min(${each}) end as ${each}`
  }
  const isMissing = (name: string) => sql`max(case when missing like ${sql.lit(`%"${name}"%`)} then 1 else 0 end)`
  const order = column === 'day' ? sql`day desc` : sql`cost desc, units desc, requests desc, ${sql.ref(column)}`
  return sql`
    select
      ${sql.join(Object.values(columns).map(same))},
      ${isMissing('user_id')} as misses_user, ${isMissing('pet_id')} as misses_pet,
      sum(requests) as requests, sum(units) as units, sum(cost) as cost, sum(maybe_cost) as maybe_cost
    from (${selectAll(filter)}) as booked
    group by booked.${sql.ref(column)}
    order by ${order}
    limit ${limit} offset ${offset}`
}

function selectAll(filter: UsageFilter): RawBuilder<unknown> {
  const day = sql`created_at / ${sql.lit(dayMs)} as day`
  return sql`
    select pet_id, user_id, key_id, model, missing, ${day}, 1 as requests, 0 as units, 0 as cost, 0 as maybe_cost
    from usage_entries ${where(filter)}
    union all
    select pet_id, user_id, key_id, model, missing, ${day}, 0, delivered, cost_micros,
      case when certain = 0 then cost_micros else 0 end
    from usage_ledger ${where(filter)}`
}

function where({ isMissingId, from, to }: UsageFilter): RawBuilder<unknown> {
  const conditions = [
    ...(isMissingId === undefined ? [] : [isMissingId ? sql`missing <> '[]'` : sql`missing = '[]'`]),
    ...(from === undefined ? [] : [sql`created_at >= ${Date.parse(from)}`]),
    ...(to === undefined ? [] : [sql`created_at < ${Date.parse(to) + dayMs}`]),
  ]
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
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
