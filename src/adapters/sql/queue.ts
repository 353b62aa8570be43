import { type Selectable, sql, type Transaction } from 'kysely'
import type { Retry, Settle, UnitOutcome, UnitQueue } from '../../ports/queue.js'
import type { Task, UnitView } from '../../ports/tasks.js'
import type { LedgerEntry } from '../../ports/usage.js'
import { endReservation } from './budgets.js'
import { createClaims } from './claims.js'
import type { StoreParts } from './database.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'
import { applyUnitChanges, fromTaskRow, selectTask, toUnitId } from './task-row.js'
import { insertLedgerEntry } from './usage.js'

/** Every write of a holder is conditional on its lease, so it fails after another holder has claimed the unit. */
export function createUnitQueue(parts: StoreParts): UnitQueue {
  const { db, engine, runDurably, holders } = parts
  return {
    ...createClaims(parts),
    openHolder: (models) => holders.open(models),
    countOtherModels: (models) => holders.countOtherModels(models),
    hasOtherHolders: () => holders.hasOthers(),
    async countQueued() {
      // Literals, not parameters: the engine must see that the conditions match partial indexes.
      const select = (status: string) =>
        sql`select provider, count(*) as units from units where status = ${sql.lit(status)} group by provider`
      const query = sql<{ provider: string; units: number }>`${select('pending')} union all ${select('processing')}`
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
    endUnits: (taskId, toOutcome, settle) =>
      runDurably(() => db.transaction().execute((tx) => endUnits(tx, engine, taskId, toOutcome, settle))),
    async isUnitGone(id) {
      const find = db.selectFrom('units').select('status').where('id', '=', id)
      return ((await runDurably(() => find.executeTakeFirst()))?.status ?? 'failed') === 'failed'
    },
    async releaseUnits(leases) {
      if (leases.length === 0) return
      await runDurably(() => db.transaction().execute((tx) => releaseUnits(tx, engine, leases)))
    },
  }
}

const unleased = { lease: null, holder_id: null }

/**
 * All transactions lock in one order, so that no two wait for each other: units, then tasks, then what is spent by key and by
 * pet. The sums of a key, which many units have in common, are locked last, for the shortest time.
 */
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
    .returning([...unitColumns, engine.now.as('now')])
    .executeTakeFirst()
  if (unit === undefined) return false
  if (unit.id === toUnitId(unit.task_id, 0)) await endWait(tx, engine, unit)
  const view = isDelivered
    ? { status: outcome.status, output: outcome.output }
    : { status: outcome.status, failure: outcome.failure }
  const task = await showUnit(tx, engine, unit, view, settle)
  const reserved = await endReservation(tx, unit.id)
  const usage = outcome.usage && { ...price(outcome.usage, reserved), delivered: isDelivered }
  await book(tx, unit, task, usage)
  return true
}

/** Takes the leases of all units first, so that it locks units before tasks like all transactions. */
async function endUnits(
  tx: Transaction<Tables>,
  engine: Engine,
  taskId: string,
  toOutcome: (task: Task, memo: unknown) => UnitOutcome,
  settle: Settle,
): Promise<unknown[]> {
  const taken = await tx
    .updateTable('units')
    .set({ lease: sql<string>`'ended:' || id`, holder_id: null })
    .where('task_id', '=', taskId)
    .where('status', 'in', ['pending', 'processing'])
    .returning(['lease', 'memo'])
    .execute()
  const task = taken.length === 0 ? undefined : await selectTask(tx, taskId).executeTakeFirst()
  if (task === undefined) return []
  const memos: unknown[] = []
  for (const { lease, memo } of taken) {
    memos.push(memo === null ? null : JSON.parse(memo))
    await settleUnit(tx, engine, lease ?? '', toOutcome(fromTaskRow(task), memos.at(-1)), settle)
  }
  return memos
}

/** Makes the units due that have waited for the first of their task. */
async function endWait(tx: Transaction<Tables>, engine: Engine, first: SettledUnit): Promise<void> {
  await tx
    .updateTable('units')
    .set({ run_at: engine.now })
    .where('id', '>', first.id)
    .where('id', '<', `${first.task_id}/~`)
    .where('claims', '=', 0)
    .where('run_at', '>', engine.now)
    // `|| ''` keeps the planner from the indexes of pending units, which it would read whole.
    .where(sql<boolean>`status || '' = 'pending'`)
    .execute()
}

/** If the response was lost and its cost is unknown, the reserved amount is booked. */
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
    .returning([...unitColumns, engine.now.as('now')])
    .executeTakeFirst()
  if (unit === undefined) return false
  const task = await showUnit(tx, engine, unit, { status: 'pending' })
  await book(tx, unit, task, usage && { ...usage, delivered: false })
  return true
}

const unitColumns = ['id', 'task_id', 'name', 'claims'] as const

type SettledUnit = Pick<Selectable<Tables['units']>, (typeof unitColumns)[number]> & { readonly now: number }

/** Applies the change of a unit to its task's row. Returns the task. */
async function showUnit(
  tx: Transaction<Tables>,
  engine: Engine,
  { task_id, name, now }: SettledUnit,
  view: Partial<UnitView>,
  settle?: Settle,
): Promise<Task | undefined> {
  const changes = [{ taskId: task_id, name, view }]
  const tasks = await applyUnitChanges(tx, engine, changes, now, (units, status) => settle?.(units) ?? status)
  return tasks.get(task_id)
}

/** Books a paid call. */
async function book(
  tx: Transaction<Tables>,
  unit: SettledUnit,
  task: Task | undefined,
  usage: (LedgerEntry & { readonly delivered: boolean }) | null,
): Promise<void> {
  if (usage !== null && task !== undefined) await insertLedgerEntry(tx, { unit, task, usage, now: unit.now })
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
