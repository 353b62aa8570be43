import { type Kysely, sql, type Transaction } from 'kysely'
import type { Retry, Settle, UnitOutcome, UnitQueue } from '../../ports/queue.js'
import type { Task, UnitView } from '../../ports/tasks.js'
import type { LedgerEntry } from '../../ports/usage.js'
import { endReservation } from './budgets.js'
import { createClaims } from './claims.js'
import type { Holders, RunWork } from './database.js'
import type { Engine } from './engine.js'
import { insertLedgerEntry } from './ledger.js'
import type { Tables } from './tables.js'
import { applyUnitChanges, toUnitId } from './task-row.js'

/** Every write of a holder is conditional on its lease, so it fails after another holder has claimed the unit. */
export function createUnitQueue(db: Kysely<Tables>, engine: Engine, runDurably: RunWork, holders: Holders): UnitQueue {
  return {
    ...createClaims(db, engine, runDurably, holders),
    openHolder: (models) => holders.open(models),
    countOtherModels: (models) => holders.countOtherModels(models),
    hasOtherHolders: () => holders.hasOthers(),
    async countQueued() {
      // Literals, not parameters: the engine must see that the conditions match partial indexes.
      const select = (status: string) =>
        sql`select provider, count(*) as units from units where status = ${sql.lit(status)} group by provider`
      const query = sql<Queued>`${select('pending')} union all ${select('processing')}`
      const counts = new Map<string, number>()
      const { rows } = await runDurably(() => query.execute(db))
      for (const { provider, units } of rows) counts.set(provider, (counts.get(provider) ?? 0) + Number(units))
      return counts
    },
    async renewLeases(leases, leaseMs) {
      if (leases.length === 0) return []
      const rows = await runDurably(() =>
        db
          .updateTable('units')
          .set({ lease_expires_at: sql<number>`${engine.now} + ${leaseMs}` })
          .where('lease', 'in', leases)
          .returning('lease')
          .execute(),
      )
      return rows.flatMap(({ lease }) => lease ?? [])
    },
    async saveMemo(lease, memo) {
      const { numUpdatedRows } = await runDurably(() =>
        db
          .updateTable('units')
          .set({ memo: JSON.stringify(memo) })
          .where('lease', '=', lease)
          .executeTakeFirst(),
      )
      return numUpdatedRows === 1n
    },
    settleUnit: (lease, outcome, settle) =>
      runDurably(() => db.transaction().execute((tx) => settleUnit(tx, engine, lease, outcome, settle))),
    retryUnit: (lease, retry) =>
      runDurably(() => db.transaction().execute((tx) => retryUnit(tx, engine, lease, retry))),
    async releaseUnits(leases) {
      if (leases.length === 0) return
      await runDurably(() => db.transaction().execute((tx) => releaseUnits(tx, engine, leases)))
    },
  }
}

interface Queued {
  readonly provider: string
  readonly units: number
}

const unleased = { lease: null, holder_id: null }

async function settleUnit(
  tx: Transaction<Tables>,
  engine: Engine,
  lease: string,
  outcome: UnitOutcome,
  settle: Settle,
): Promise<boolean> {
  const isDelivered = outcome.status === 'success'
  const unit = await tx
    .updateTable('units')
    .set({
      ...unleased,
      status: outcome.status,
      memo: null,
      image_key: isDelivered ? (outcome.output.files.image ?? null) : null,
    })
    .where('lease', '=', lease)
    .returning(unitColumns)
    .executeTakeFirst()
  if (unit === undefined) return false
  const view = isDelivered
    ? { status: outcome.status, output: outcome.output }
    : { status: outcome.status, failure: outcome.failure }
  const reserved = await endReservation(tx, unit.id)
  const usage = outcome.usage && { ...price(outcome.usage, reserved), delivered: isDelivered }
  const task = await record(tx, engine, unit, view, usage, settle)
  if (task !== undefined && unit.id === toUnitId(task.id, 0)) await endWait(tx, engine, task)
  return true
}

/** Makes the units due that have waited for the first of their task. */
async function endWait(tx: Transaction<Tables>, engine: Engine, { id, units }: Task): Promise<void> {
  const others = units.slice(1).map((_, place) => toUnitId(id, place + 1))
  if (others.length === 0) return
  await tx
    .updateTable('units')
    .set({ run_at: engine.now })
    .where('id', 'in', others)
    .where('claims', '=', 0)
    .where(sql<boolean>`status = 'pending' and run_at > ${engine.now}`)
    .execute()
}

/** If the answer was lost and its cost is unknown, the reserved amount is booked. */
function price(usage: LedgerEntry, reservedMicros: number): LedgerEntry {
  return usage.certain || usage.costMicros > 0 ? usage : { ...usage, costMicros: reservedMicros }
}

async function retryUnit(
  tx: Transaction<Tables>,
  engine: Engine,
  lease: string,
  { delayMs, memo, usage }: Retry,
): Promise<boolean> {
  const unit = await tx
    .updateTable('units')
    .set((set) => ({
      ...unleased,
      status: 'pending',
      attempts: set('attempts', '+', 1),
      run_at: sql<number>`${engine.now} + ${Math.ceil(delayMs)}`,
      memo: JSON.stringify(memo),
    }))
    .where('lease', '=', lease)
    .returning(unitColumns)
    .executeTakeFirst()
  if (unit === undefined) return false
  await record(tx, engine, unit, { status: 'pending' }, usage && { ...usage, delivered: false })
  return true
}

const unitColumns = ['id', 'task_id', 'name', 'claims'] as const

/** Applies the change of a unit to its task's row, and books the paid call. Returns the task. */
async function record(
  tx: Transaction<Tables>,
  engine: Engine,
  unit: { readonly id: string; readonly task_id: string; readonly name: string; readonly claims: number },
  view: Partial<UnitView>,
  usage: (LedgerEntry & { readonly delivered: boolean }) | null,
  settle?: Settle,
): Promise<Task | undefined> {
  const { now } = await tx.selectNoFrom(engine.now.as('now')).executeTakeFirstOrThrow()
  const changes = [{ taskId: unit.task_id, name: unit.name, view }]
  const tasks = await applyUnitChanges(tx, engine, changes, now, (units, status) => settle?.(units) ?? status)
  const task: Task | undefined = tasks.get(unit.task_id)
  if (usage !== null && task !== undefined) await insertLedgerEntry(tx, { unit, task, usage, now })
  return task
}

async function releaseUnits(tx: Transaction<Tables>, engine: Engine, leases: readonly string[]): Promise<void> {
  const { now } = await tx.selectNoFrom(engine.now.as('now')).executeTakeFirstOrThrow()
  const released = await tx
    .updateTable('units')
    .set({ ...unleased, status: 'pending' })
    .where('lease', 'in', leases)
    .returning(['task_id', 'name'])
    .execute()
  const changes = released.map(({ task_id, name }) => ({ taskId: task_id, name, view: { status: 'pending' as const } }))
  await applyUnitChanges(tx, engine, changes, now, (_, status) => status)
}
