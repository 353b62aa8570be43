import { type Kysely, sql, type Transaction } from 'kysely'
import type { LedgerEntry, Task, UsageRow, UsageStore } from '../../ports/tasks.js'
import type { Attempt } from './attempt.js'
import type { Tables } from './tables.js'

const dayMs = 86_400_000

interface Booking {
  readonly unit: { readonly id: string; readonly claims: number }
  readonly task: Task
  readonly usage: LedgerEntry & { readonly delivered: boolean }
  readonly now: number
}

/** Books a call on the task's owner and on the key that created it. A claim that went wrong before its end took a number too. */
export async function insertLedgerEntry(tx: Transaction<Tables>, { unit, task, usage, now }: Booking): Promise<void> {
  await tx
    .insertInto('usage_ledger')
    .values({
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
    })
    .execute()
}

export function createUsageStore(db: Kysely<Tables>, attempt: Attempt): UsageStore {
  const columns = ['pet_id', 'user_id', 'missing', 'key_id', 'model'] as const
  const day = sql<number>`created_at / ${sql.lit(dayMs)}`
  return {
    async listUsage() {
      const requests = await attempt(() =>
        db
          .selectFrom('usage_entries')
          .select([...columns, day.as('day')])
          .select(({ fn }) => fn.countAll<number>().as('requests'))
          .groupBy([...columns, day])
          .execute(),
      )
      const calls = await attempt(() =>
        db
          .selectFrom('usage_ledger')
          .select([...columns, day.as('day')])
          .select(({ fn }) => [
            fn.sum<number>('delivered').as('units'),
            fn.sum<number>('cost_micros').as('cost_micros'),
            sql<number>`sum(case when certain = 0 then cost_micros else 0 end)`.as('maybe_cost_micros'),
          ])
          .groupBy([...columns, day])
          .execute(),
      )
      return mergeSums([...requests, ...calls])
    },
  }
}

type Sums = Pick<Tables['usage_ledger'], 'pet_id' | 'user_id' | 'missing' | 'key_id' | 'model'> & {
  readonly day: number
  readonly requests?: number
  readonly units?: number
  readonly cost_micros?: number
  readonly maybe_cost_micros?: number
}

function mergeSums(sums: readonly Sums[]): UsageRow[] {
  const rows = new Map<string, UsageRow>()
  for (const sum of sums) {
    const group = JSON.stringify([sum.day, sum.pet_id, sum.user_id, sum.missing, sum.key_id, sum.model])
    const row = rows.get(group)
    rows.set(group, {
      petId: sum.pet_id,
      userId: sum.user_id,
      missing: JSON.parse(sum.missing),
      keyId: sum.key_id,
      model: sum.model,
      day: new Date(Number(sum.day) * dayMs).toISOString().slice(0, 10),
      requests: (row?.requests ?? 0) + Number(sum.requests ?? 0),
      units: (row?.units ?? 0) + Number(sum.units ?? 0),
      costMicros: (row?.costMicros ?? 0) + Number(sum.cost_micros ?? 0),
      maybeCostMicros: (row?.maybeCostMicros ?? 0) + Number(sum.maybe_cost_micros ?? 0),
    })
  }
  return [...rows.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}
