import { type Insertable, type RawBuilder, sql, type Transaction } from 'kysely'
import { SvcError } from '../../errors.js'
import type { IdempotentAnswer } from '../../ports/idempotency.js'
import type { Limit } from '../../ports/money.js'
import type { NewTask } from '../../ports/tasks.js'
import type { Tables } from './tables.js'
import { toUnitId } from './task-row.js'

/** Reservations in the queue may be released soon, so a retry is worth it after this time. */
const queueWaitSeconds = 60

/** Checks budgets. A turn of each key and each pet that has one makes count and reservation atomic. */
export function createBudgets() {
  /** The oldest key of each key's family: a rotated key keeps its budget. It never changes. */
  const roots = new Map<string, string>()

  async function findRoot(tx: Transaction<Tables>, keyId: string): Promise<string> {
    const root = roots.get(keyId) ?? (await selectRoot(keyId).execute(tx)).rows[0]?.id ?? keyId
    roots.set(keyId, root)
    return root
  }

  /** Identifies the owner of a budget. */
  async function toOwner(tx: Transaction<Tables>, of: Limit['of'], { keyId, owner }: NewTask): Promise<string> {
    return of === 'pet' ? `pet ${owner.petId}` : `key ${await findRoot(tx, keyId)}`
  }

  return {
    /** Returns the turns that a group needs, in the order in which all transactions take them. */
    async listTurns(tx: Transaction<Tables>, group: readonly Creation[]): Promise<string[]> {
      const turns = new Set<string>()
      for (const { tasks } of group) {
        for (const { task } of tasks) {
          for (const { of } of task.spending?.limits ?? []) turns.add(`budget of ${await toOwner(tx, of, task)}`)
        }
      }
      return [...turns].sort()
    },
    /** Begins the checks of a group of requests, in the turns of its keys and pets. */
    begin(tx: Transaction<Tables>, now: number) {
      const sums = new Map<string, Sums>()
      const added: NewTask[] = []

      async function sum(limit: Limit, task: NewTask): Promise<Sums> {
        const owner = await toOwner(tx, limit.of, task)
        const known = sums.get(`${owner} ${limit.per}`) ?? (await sumSpent(tx, limit, task, now))
        sums.set(`${owner} ${limit.per}`, known)
        let { queued } = known
        for (const other of added) if ((await toOwner(tx, limit.of, other)) === owner) queued += costOf(other) ?? 0
        return { paid: known.paid, queued }
      }

      return {
        /** Counts tasks that will be created, for the next request of the group. */
        add: (tasks: readonly NewTask[]) => void added.push(...tasks.filter((task) => (costOf(task) ?? 0) > 0)),
        /**
         * Returns the error if tasks exceed a budget. A budget counts the certain and possible payments of its window, and the
         * expected cost of all unfinished units, of any age.
         */
        async findOverrun(tasks: readonly NewTask[]): Promise<SvcError | undefined> {
          const [first] = tasks
          const limits = first?.spending?.limits ?? []
          if (first === undefined || limits.length === 0) return undefined
          const costs = tasks.map(costOf)
          if (costs.includes(undefined)) return new SvcError('unavailable', unpriced)
          const cost = costs.reduce<number>((total, micros) => total + (micros ?? 0), 0)
          if (tasks.every((task) => countedUnits(task).length === 0)) return undefined
          for (const limit of limits) {
            const { paid, queued } = await sum(limit, first)
            if (paid + queued + cost > limit.micros) return refuse(limit, { paid, queued }, cost, now)
          }
          return undefined
        },
      }
    },
  }
}

/** Returns the expected cost of a task; undefined if it is unknown. */
function costOf(task: NewTask): number | undefined {
  const { length } = countedUnits(task)
  if (length === 0) return 0
  const { unitMicros = null } = task.spending ?? {}
  return unitMicros === null ? undefined : length * unitMicros
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
): Promise<Sums> {
  const isOwn: RawBuilder<boolean> =
    of === 'pet' ? sql`owner_id = ${owner.petId}` : sql`owner_id in (${keyFamily(keyId)})`
  const paidKind = per === 'month' ? (`${of} month` as const) : of
  const select = (kind: Tables['spending']['owner_kind'], startsAt: number) => sql`
    (select coalesce(sum(micros), 0) from spending
      where owner_kind = ${sql.lit(kind)} and ${isOwn} and starts_at = ${startsAt})`
  const sums = sql<Sums>`select ${select(paidKind, windowOf(per, now).start)} as paid, ${select(of, 0)} as queued`
  const row = (await sums.execute(tx)).rows[0]
  return { paid: Number(row?.paid ?? 0), queued: Number(row?.queued ?? 0) }
}

/** Selects the oldest predecessor of a key. */
function selectRoot(keyId: string) {
  return sql<{ id: string }>`
    with recursive line (id, replaces) as (
      select id, replaces from api_keys where id = ${keyId}
      union
      select older.id, older.replaces from api_keys as older, line where older.id = line.replaces
    ) select id from line where replaces is null`
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
}

function refuse({ of, micros, per }: Limit, { paid, queued }: Sums, cost: number, now: number): SvcError {
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

/** A task with its input as JSON. */
export interface SerializedTask {
  readonly task: NewTask
  readonly inputText: string
}

/** The rows of one request. */
export interface Creation {
  /** The task and its children. */
  readonly tasks: readonly SerializedTask[]
  readonly endpoint: string | null
  readonly answer: IdempotentAnswer | undefined
  readonly answerText: string
}
