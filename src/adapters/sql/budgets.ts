import { type Insertable, type RawBuilder, sql, type Transaction } from 'kysely'
import { SvcError } from '../../errors.js'
import type { Limit } from '../../ports/money.js'
import type { NewTask } from '../../ports/tasks.js'
import type { Tables } from './tables.js'
import { toUnitId } from './task-row.js'

/** Reservations in the queue may be released soon, so a retry is worth it after this time. */
const queueWaitSeconds = 60

/**
 * Returns the error if tasks exceed a budget. A budget counts the certain and possible payments of its window, and the
 * expected cost of all unfinished units, of any age. The turn `budgets` makes count and reservation atomic.
 */
export async function findOverrun(
  tx: Transaction<Tables>,
  tasks: readonly NewTask[],
  now: number,
): Promise<SvcError | undefined> {
  const [first] = tasks
  const limits = first?.spending?.limits ?? []
  if (first === undefined || limits.length === 0) return undefined
  const costs = tasks.flatMap((task) => countedUnits(task).map(() => task.spending?.unitMicros ?? null))
  if (costs.length === 0) return undefined
  if (costs.includes(null)) return new SvcError('unavailable', unpriced)
  const cost = costs.reduce<number>((sum, micros) => sum + (micros ?? 0), 0)
  for (const limit of limits) {
    const { paid, queued } = await sumSpent(tx, limit, first, now)
    if (paid + queued + cost > limit.micros) return refuse(limit, { paid, queued, cost, now })
  }
  return undefined
}

/** True if a task must fit a budget. */
export function isLimited({ spending }: NewTask): boolean {
  return spending !== undefined && spending.limits.length > 0
}

/** Returns the reservations of a task: the expected cost of each unit until it is final. */
export function toReservations(task: NewTask): Insertable<Tables['reservations']>[] {
  const cost_micros = task.spending?.unitMicros ?? 0
  if (cost_micros === 0) return []
  return countedUnits(task).map((_, place) => ({
    unit_id: toUnitId(task.id, place),
    key_id: task.keyId,
    pet_id: task.owner.petId,
    cost_micros,
  }))
}

/** Deletes the reservation of a final unit. Returns its amount. */
export async function endReservation(tx: Transaction<Tables>, unitId: string): Promise<number> {
  const row = await tx
    .deleteFrom('reservations')
    .where('unit_id', '=', unitId)
    .returning('cost_micros')
    .executeTakeFirst()
  return Number(row?.cost_micros ?? 0)
}

function countedUnits({ units, reused }: NewTask): readonly string[] {
  return reused === undefined ? units : []
}

async function sumSpent(
  tx: Transaction<Tables>,
  { of, per }: Limit,
  { keyId, owner }: NewTask,
  now: number,
): Promise<{ paid: number; queued: number }> {
  const isOwn: RawBuilder<boolean> = of === 'pet' ? sql`pet_id = ${owner.petId}` : sql`key_id in (${keyFamily(keyId)})`
  const sums = sql<{ paid: number; queued: number }>`
    select
      (select coalesce(sum(cost_micros), 0) from usage_ledger
        where cost_micros > 0 and created_at >= ${windowOf(per, now).start} and ${isOwn}) as paid,
      (select coalesce(sum(cost_micros), 0) from reservations where ${isOwn}) as queued`
  const row = (await sums.execute(tx)).rows[0]
  return { paid: Number(row?.paid ?? 0), queued: Number(row?.queued ?? 0) }
}

/** Selects a key, its predecessors and its successors: a rotated key keeps its budget. */
function keyFamily(keyId: string): RawBuilder<unknown> {
  return sql`
    with recursive family (id) as (
      select cast(${keyId} as text)
      union
      select other.id from api_keys as other, family, api_keys as known
        where known.id = family.id and (other.replaces = known.id or known.replaces = other.id)
    ) select id from family`
}

/** Returns the start and the end of the current window, in UTC. */
function windowOf(per: Limit['per'], now: number): { readonly start: number; readonly end: number } {
  const time = new Date(now)
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()]
  return per === 'day'
    ? { start: Date.UTC(year, month, day), end: Date.UTC(year, month, day + 1) }
    : { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
}

const unpriced =
  'There is a budget, but the configuration does not say what the model costs. Give the model a `price` in svc.config.json.'

interface Sums {
  readonly paid: number
  readonly queued: number
  readonly cost: number
  readonly now: number
}

function refuse({ of, micros, per }: Limit, { paid, queued, cost, now }: Sums): SvcError {
  const { end } = windowOf(per, now)
  const whose = of === 'key' ? 'of this API key' : 'of this pet'
  const spent = `${toDollars(paid)} are spent and ${toDollars(queued)} are kept for tasks that are not finished`
  const budget = `The budget ${whose} is ${toDollars(micros)} a ${per}: ${spent}; this request would cost ${toDollars(cost)}.`
  if (cost > micros) return limitReached(`${budget} It asks for more than a whole ${per} allows.`, end - now)
  if (paid + cost <= micros)
    return limitReached(`${budget} Try again when those tasks are finished.`, queueWaitSeconds * 1000)
  return limitReached(`${budget} Try again after ${new Date(end).toISOString().slice(0, 10)} 00:00 UTC.`, end - now)
}

function limitReached(message: string, waitMs: number): SvcError {
  return new SvcError('rate_limit_exceeded', message, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}

/** Rounds up, so the rest of a budget never looks larger than it is. */
function toDollars(micros: number): string {
  return `$${(Math.ceil(micros / 100) / 10_000).toFixed(4).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}
