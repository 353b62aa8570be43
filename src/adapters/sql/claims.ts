import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import { awaitedSlots, type Claim, type ClaimedUnit, type UnitQueue } from '../../ports/queue.js'
import type { Task } from '../../ports/tasks.js'
import { findLimits } from './breakers.js'
import { awaitedRunAt } from './create-tasks.js'
import type { Holders, StoreParts } from './database.js'
import type { Engine } from './engine.js'
import { createClockWatch, createLeaseWatch, type LeaseWatch, repairTimes } from './repair-times.js'
import type { Tables } from './tables.js'
import { applyUnitChanges } from './task-row.js'

/** The interval at which a holder checks that the others are alive. */
const probeMs = 250

type UnitRow = Selectable<Tables['units']>

// Literals, not parameters: the engine must see that the condition matches a partial index.
const isPending = sql<boolean>`status = 'pending'`
const isProcessing = sql<boolean>`status = 'processing'`

/** Claims units. A turn of a provider that another process has is not waited for: the worker polls again soon. */
export function createClaims(parts: StoreParts): Pick<UnitQueue, 'claimUnits' | 'findNextDueMs'> {
  const { db, engine, clock, runDurably, isCommitUnknown = () => false, holders } = parts
  let leasesMade = 0
  const isSetBack = createClockWatch()
  const leaseWatch = createLeaseWatch()
  const probedAt = new Map<string, number>()
  /** Beginnings of leases whose claim was not answered: nobody works on their units. */
  const unanswered = new Set<string>()

  async function findAbandoned(holderId: string): Promise<string[]> {
    if (performance.now() < (probedAt.get(holderId) ?? 0)) return []
    probedAt.set(holderId, performance.now() + probeMs)
    const rows = await runDurably(() =>
      db
        .selectFrom('units')
        .select('holder_id')
        .distinct()
        .where(isProcessing)
        .where('holder_id', '<>', holderId)
        .execute(),
    )
    return holders.findAbandoned(rows.flatMap(({ holder_id }) => holder_id ?? []))
  }

  /** Makes work due again that a clock which was set back, now or before this process, would delay. */
  async function checkClock(leaseMs: number): Promise<void> {
    const now = clock.now()
    if (isSetBack(now)) await runDurably(() => db.transaction().execute((tx) => repairTimes(tx, now, leaseMs)))
  }

  async function findNextDueMs(providers: readonly string[]): Promise<number | undefined> {
    // Not `min`: PostgreSQL may read the whole queue for it.
    const findFirst = (column: 'run_at' | 'deadline_at' | 'lease_expires_at', condition: RawBuilder<boolean>) =>
      sql<number | null>`(select ${sql.ref(column)} from units where ${condition} order by ${sql.ref(column)} limit 1)`
    const times = [
      ...providers.map((provider) => findFirst('run_at', sql`provider = ${provider} and ${isPending}`)),
      findFirst('deadline_at', isPending),
      findFirst('lease_expires_at', isProcessing),
    ]
    // One row per time. `null - now` is null, and null rows are dropped below.
    const rows = sql.join(
      times.map((time) => sql`select ${time} - ${engine.now} as ms`),
      sql` union all `,
    )
    const { rows: found } = await runDurably(() => sql<{ ms: number | null }>`${rows}`.execute(db))
    const known = found.flatMap(({ ms }) => (ms === null ? [] : Number(ms)))
    return known.length === 0 ? undefined : Math.max(0, Math.min(...known))
  }

  return {
    findNextDueMs,
    async claimUnits(claim) {
      await checkClock(claim.leaseMs)
      const providers = Object.keys({ ...claim.slots, ...claim.ownSlots })
      holders.ask?.(claim.holderId, providers)
      const gone = await findAbandoned(claim.holderId)
      const dropped = [...unanswered]
      // Most polls find nothing, and need no lock.
      if (gone.length === 0 && dropped.length === 0 && (await findNextDueMs(providers)) !== 0) return []
      const lease = `${claim.holderId}:${++leasesMade}:`
      const turn = { ...claim, lease, gone, dropped, leaseWatch }
      try {
        const units = await runDurably(() => db.transaction().execute((tx) => claimDue(tx, engine, holders, turn)))
        for (const each of dropped) unanswered.delete(each)
        return units
      } catch (error) {
        if (isCommitUnknown(error)) unanswered.add(lease)
        throw error
      }
    },
  }
}

interface ClaimTurn extends Claim {
  readonly lease: string
  /** The holders whose process is gone. */
  readonly gone: readonly string[]
  /** Beginnings of leases on whose units nobody works. */
  readonly dropped: readonly string[]
  readonly leaseWatch: LeaseWatch
}

/** Like all transactions, it locks units before tasks. It waits for no unit, so no two wait for each other. */
async function claimDue(
  tx: Transaction<Tables>,
  engine: Engine,
  holders: Holders,
  claim: ClaimTurn,
): Promise<ClaimedUnit[]> {
  const { limit } = claim
  const { now } = await tx.selectNoFrom(engine.now.as('now')).executeTakeFirstOrThrow()
  const freed = await freeLost(tx, engine, now, claim)
  // In the order of its index alone: to sort, PostgreSQL may read the whole queue by another one.
  const overdue = tx.selectFrom('units').where('deadline_at', '<=', now).orderBy('deadline_at')
  const claimed = await takeUnits(tx, engine, overdue.limit(limit), claim, now)
  const room = claimed.length < limit ? await findRoom(tx, engine, holders, claim, now) : []
  for (const { provider, free, runAt } of room) {
    const count = Math.min(free, limit - claimed.length)
    if (count <= 0) continue
    const due = tx.selectFrom('units').where('provider', '=', provider).where('run_at', '<=', runAt)
    const first = due.orderBy('run_at').orderBy('id').limit(count)
    claimed.push(...(await takeUnits(tx, engine, first, claim, now)))
  }
  const tasks = await applyUnitChanges(
    tx,
    engine,
    [
      ...freed.map(({ task_id, name }) => ({ taskId: task_id, name, view: { status: 'pending' as const } })),
      ...claimed.map(({ task_id, name }) => ({ taskId: task_id, name, view: { status: 'processing' as const } })),
    ],
    now,
    () => 'processing',
  )
  return claimed.flatMap((row) => {
    const task = tasks.get(row.task_id)
    return task === undefined || !isWorked(task) ? [] : [{ ...fromUnitRow(row), task }]
  })
}

/** True if the kind of the task has units, which is always so for the task of a unit. */
function isWorked(task: Task): task is ClaimedUnit['task'] {
  return task.kind !== 'diary_library'
}

/**
 * Makes units due again whose holder is gone, whose claim was not answered, whose lease is lost, or that expired with their
 * deadline, after which nothing is bought. The attempt does not count.
 */
async function freeLost(tx: Transaction<Tables>, engine: Engine, now: number, claim: ClaimTurn) {
  const { gone, dropped, leaseWatch, leaseMs } = claim
  const expired = await tx
    .selectFrom('units')
    .select(['lease', 'deadline_at'])
    .where(isProcessing)
    .where('lease_expires_at', '<=', now)
    .execute()
  const lostLeases = leaseWatch.findLost(
    expired.flatMap(({ lease }) => lease ?? []),
    leaseMs,
  )
  const lost = expired.filter(({ lease, deadline_at }) => deadline_at <= now || lostLeases.has(lease ?? ''))
  if (lost.length + gone.length + dropped.length === 0) return []
  return (
    tx
      // A unit that is locked is being settled.
      .with('lost', (from) =>
        from
          .selectFrom('units')
          .select('id')
          .where(isProcessing)
          .where((where) =>
            where.or([
              // Unless another process has freed or its holder has renewed it meanwhile.
              ...lost.map(({ lease }) => where.and([where('lease', '=', lease), where('lease_expires_at', '<=', now)])),
              ...gone.map((id) => where('holder_id', '=', id)),
              ...dropped.map((lease) => where.and([where('lease', '>=', lease), where('lease', '<', `${lease}~`)])),
            ]),
          )
          .orderBy('id')
          .modifyEnd(engine.lockFreeRows),
      )
      .updateTable('units')
      .set({ status: 'pending', lease: null, holder_id: null })
      .where('id', 'in', (from) => from.selectFrom('lost').select('id'))
      .returning(['task_id', 'name'])
      .execute()
  )
}

/**
 * Returns how many more units may be claimed of each provider, of those that are due at `runAt`. The slots that holders share
 * are counted in a turn of the provider, which is kept until the units are claimed.
 */
async function findRoom(tx: Transaction<Tables>, engine: Engine, holders: Holders, claim: ClaimTurn, now: number) {
  const { holderId, ownSlots = {} } = claim
  const slots: [provider: string, count: number][] = []
  for (const [provider, count] of Object.entries(claim.slots)) {
    if (await engine.tryTurn(tx, `claims of ${provider}`)) slots.push([provider, count])
  }
  const counts = await tx
    .selectFrom('units')
    .select(({ fn }) => ['provider', 'holder_id', fn.countAll<number>().as('count')])
    .where(isProcessing)
    .groupBy(['provider', 'holder_id'])
    .execute()
  const limits = await findLimits(tx, now)
  const asking = await holders.countAsking?.(tx, holderId)
  const count = (provider: string, isCounted: (holder: string | null) => boolean) =>
    counts
      .filter((row) => row.provider === provider && isCounted(row.holder_id))
      .reduce((sum, { count }) => sum + Number(count), 0)
  const countOwn = (provider: string) => count(provider, (holder) => holder === holderId)
  const toRoom = (provider: string, runAt: number, ...room: number[]) => ({
    provider,
    runAt,
    free: Math.min(...room, limits.get(provider) ?? Number.POSITIVE_INFINITY),
  })
  return [
    ...slots.map(([provider, all]) => {
      const share = Math.ceil(all / (1 + (asking?.get(provider) ?? 0)))
      return toRoom(provider, now, all - count(provider, () => true), share - countOwn(provider))
    }),
    ...Object.entries(ownSlots).map(([provider, own]) => {
      const free = own - countOwn(provider)
      return free > 0 ? toRoom(provider, now, free) : toRoom(provider, awaitedRunAt, free + awaitedSlots)
    }),
  ]
}

/** Leases the pending units of a query that are not locked. */
async function takeUnits(
  tx: Transaction<Tables>,
  engine: Engine,
  due: SelectQueryBuilder<Tables, 'units', unknown>,
  { holderId, lease, leaseMs }: ClaimTurn,
  now: number,
): Promise<UnitRow[]> {
  const rows = await tx
    // A separate CTE: as a subquery of the update PostgreSQL may run it twice, and lease more than the limit.
    .with('due', () => due.select('id').where(isPending).modifyEnd(engine.lockFreeRows))
    .updateTable('units')
    .set((set) => ({
      status: 'processing',
      claims: set('claims', '+', 1),
      claimed_at: now,
      lease: sql<string>`cast(${lease} as text) || id`,
      lease_expires_at: now + leaseMs,
      holder_id: holderId,
    }))
    .where('id', 'in', (from) => from.selectFrom('due').select('id'))
    .returningAll()
    .execute()
  return rows.sort((one, other) => one.run_at - other.run_at || (one.id < other.id ? -1 : 1))
}

function fromUnitRow(row: UnitRow): Omit<ClaimedUnit, 'task'> {
  return {
    id: row.id,
    name: row.name,
    attempt: row.attempts + 1,
    lease: row.lease ?? '',
    memo: row.memo === null ? null : JSON.parse(row.memo),
    deadlineAt: new Date(row.deadline_at),
  }
}
