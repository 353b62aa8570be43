import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Claim, ClaimedUnit, UnitQueue } from '../../ports/queue.js'
import type { Task } from '../../ports/tasks.js'
import { findLimits } from './breakers.js'
import type { Holders, RunWork } from './database.js'
import type { Engine } from './engine.js'
import { createClockWatch, createLeaseWatch, type LeaseWatch, repairTimes } from './repair-times.js'
import type { Tables } from './tables.js'
import { applyUnitChanges } from './task-row.js'

/** The interval at which a holder checks that the others are alive. */
const probeMs = 250

export type UnitRow = Selectable<Tables['units']>

// Literals, not parameters: the engine must see that the condition matches a partial index.
const isPending = sql<boolean>`status = 'pending'`
const isProcessing = sql<boolean>`status = 'processing'`

/** Claims units on SQLite. PostgreSQL has a `claimUnits` of its own, in `postgres/claims.ts`, which uses parts of this file. */
export function createClaims(
  db: Kysely<Tables>,
  engine: Engine,
  runDurably: RunWork,
  holders: Holders,
): Pick<UnitQueue, 'claimUnits' | 'findNextDueMs'> {
  let leasesMade = 0
  const isSetBack = createClockWatch()
  const leaseWatch = createLeaseWatch()
  const probedAt = new Map<string, number>()

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
    const { now } = await runDurably(() => db.selectNoFrom(engine.now.as('now')).executeTakeFirstOrThrow())
    if (isSetBack(now)) await runDurably(() => db.transaction().execute((tx) => repairTimes(tx, now, leaseMs)))
  }

  async function findNextDueMs(providers: readonly string[]): Promise<number | undefined> {
    const due = providers.map(
      (provider) => sql<number | null>`(select min(run_at) from units where provider = ${provider} and ${isPending})`,
    )
    const times = [
      ...due,
      sql<number | null>`(select min(deadline_at) from units where ${isPending})`,
      sql<number | null>`(select min(lease_expires_at) from units where ${isProcessing})`,
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
      const gone = await findAbandoned(claim.holderId)
      // Most polls find nothing, and need no lock.
      const providers = Object.keys({ ...claim.slots, ...claim.ownSlots })
      if (gone.length === 0 && (await findNextDueMs(providers)) !== 0) return []
      const lease = `${claim.holderId}:${++leasesMade}:`
      return runDurably(() =>
        db.transaction().execute((tx) => claimDue(tx, engine, { ...claim, lease, gone, leaseWatch })),
      )
    },
  }
}

interface ClaimTurn extends Claim {
  readonly lease: string
  /** The holders whose process is gone. */
  readonly gone: readonly string[]
  readonly leaseWatch: LeaseWatch
}

async function claimDue(tx: Transaction<Tables>, engine: Engine, claim: ClaimTurn): Promise<ClaimedUnit[]> {
  const { holderId, limit, leaseMs, lease } = claim
  await engine.takeTurn(tx, 'claims')
  const { now } = await tx.selectNoFrom(engine.now.as('now')).executeTakeFirstOrThrow()
  const freed = await freeLost(tx, now, claim)
  const take = (due: ReturnType<typeof sql<boolean>>, count: number) =>
    takeUnits(tx, engine, due, count, { holderId, lease, now, leaseMs })
  const claimed = await take(sql<boolean>`deadline_at <= ${now}`, limit)
  for (const [provider, room] of await findRoom(tx, claim, now)) {
    const count = Math.min(room, limit - claimed.length)
    claimed.push(...(await take(sql<boolean>`provider = ${provider} and run_at <= ${now}`, count)))
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
export function isWorked(task: Task): task is ClaimedUnit['task'] {
  return task.kind !== 'diary_library'
}

/**
 * Makes units due again whose holder is gone, whose lease is lost, or that expired with their deadline, after which nothing
 * is bought. The attempt does not count.
 */
async function freeLost(tx: Transaction<Tables>, now: number, { gone, leaseWatch, leaseMs }: ClaimTurn) {
  const expired = await tx
    .selectFrom('units')
    .select(['id', 'lease', 'deadline_at'])
    .where(isProcessing)
    .where('lease_expires_at', '<=', now)
    .execute()
  const lostLeases = leaseWatch.findLost(
    expired.flatMap(({ lease }) => lease ?? []),
    leaseMs,
  )
  const lost = expired.filter(({ lease, deadline_at }) => deadline_at <= now || lostLeases.has(lease ?? ''))
  if (lost.length === 0 && gone.length === 0) return []
  const ids = lost.map(({ id }) => id)
  return tx
    .updateTable('units')
    .set({ status: 'pending', lease: null, holder_id: null })
    .where(isProcessing)
    .where((where) => where.or([where('id', 'in', ids), where('holder_id', 'in', gone)]))
    .returning(['task_id', 'name'])
    .execute()
}

/** Returns how many more units of each provider may be claimed. */
async function findRoom(tx: Transaction<Tables>, { holderId, slots, ownSlots }: Claim, now: number) {
  const counts = await tx
    .selectFrom('units')
    .select(({ fn }) => ['provider', 'holder_id', fn.countAll<number>().as('count')])
    .where(isProcessing)
    .groupBy(['provider', 'holder_id'])
    .execute()
  const limits = await findLimits(tx, now)
  const toRoom = (provider: string, slots: number, isCounted: (holder: string | null) => boolean) => {
    const counted = counts.filter((row) => row.provider === provider && isCounted(row.holder_id))
    const room = counted.reduce((left, { count }) => left - Number(count), slots)
    return [provider, Math.min(room, limits.get(provider) ?? room)] as const
  }
  return [
    ...Object.entries(slots).map(([provider, count]) => toRoom(provider, count, () => true)),
    ...Object.entries(ownSlots ?? {}).map(([provider, count]) => toRoom(provider, count, (id) => id === holderId)),
  ]
}

async function takeUnits(
  tx: Transaction<Tables>,
  engine: Engine,
  due: ReturnType<typeof sql<boolean>>,
  count: number,
  { holderId, lease, now, leaseMs }: { holderId: string; lease: string; now: number; leaseMs: number },
): Promise<UnitRow[]> {
  if (count <= 0) return []
  const rows = await tx
    // A separate CTE: as a subquery of the update PostgreSQL may run it twice, and lease more than the limit.
    .with('due', (from) =>
      from
        .selectFrom('units')
        .select('id')
        .where(isPending)
        .where(due)
        .orderBy('run_at')
        .orderBy('id')
        .limit(count)
        .modifyEnd(engine.lockFreeRows),
    )
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

export function fromUnitRow(row: UnitRow): Omit<ClaimedUnit, 'task'> {
  return {
    id: row.id,
    name: row.name,
    attempt: row.attempts + 1,
    lease: row.lease ?? '',
    memo: row.memo === null ? null : JSON.parse(row.memo),
    deadlineAt: new Date(row.deadline_at),
  }
}
