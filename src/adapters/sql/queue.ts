import { type Kysely, sql, type Transaction } from 'kysely'
import type { LedgerEntry, Retry, Settle, Task, UnitOutcome, UnitQueue, UnitView } from '../../ports/tasks.js'
import type { Attempt } from './attempt.js'
import { endReservation } from './budgets.js'
import { createClaims } from './claims.js'
import type { Engine } from './engine.js'
import type { Holders } from './holders.js'
import { insertLedgerEntry } from './ledger.js'
import type { Tables } from './tables.js'
import { showChanges } from './task-row.js'

/** Every write of a holder names its lease, which is gone as soon as the unit is another's. */
export function createUnitQueue(db: Kysely<Tables>, engine: Engine, attempt: Attempt, holders: Holders): UnitQueue {
  return {
    ...createClaims(db, engine, attempt, holders),
    openHolder: () => holders.open(),
    hasOtherHolders: () => holders.hasOthers(),
    async countQueued() {
      // As text: so the engine sees that partial indexes hold these rows.
      const select = (status: string) =>
        sql`select provider, count(*) as units from units where status = ${sql.lit(status)} group by provider`
      const query = sql<Queued>`${select('pending')} union all ${select('processing')}`
      const counts = new Map<string, number>()
      const { rows } = await attempt(() => query.execute(db))
      for (const { provider, units } of rows) counts.set(provider, (counts.get(provider) ?? 0) + Number(units))
      return counts
    },
    async renewLeases(leases, leaseMs) {
      if (leases.length === 0) return []
      const rows = await attempt(() =>
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
      const { numUpdatedRows } = await attempt(() =>
        db
          .updateTable('units')
          .set({ memo: JSON.stringify(memo) })
          .where('lease', '=', lease)
          .executeTakeFirst(),
      )
      return numUpdatedRows === 1n
    },
    settleUnit: (lease, outcome, settle) =>
      attempt(() => db.transaction().execute((tx) => settleUnit(tx, engine, lease, outcome, settle))),
    retryUnit: (lease, retry) => attempt(() => db.transaction().execute((tx) => retryUnit(tx, engine, lease, retry))),
    async releaseUnits(leases) {
      if (leases.length === 0) return
      await attempt(() => db.transaction().execute((tx) => releaseUnits(tx, engine, leases)))
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
  await record(tx, engine, unit, view, usage, settle)
  return true
}

/** Where an answer was lost and nobody said what it would have cost, it is what was expected. */
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

/** Shows what became of a unit in its task, and books the call that was paid for it. */
async function record(
  tx: Transaction<Tables>,
  engine: Engine,
  unit: { readonly id: string; readonly task_id: string; readonly name: string; readonly claims: number },
  view: Partial<UnitView>,
  usage: (LedgerEntry & { readonly delivered: boolean }) | null,
  settle?: Settle,
): Promise<void> {
  const { now } = await tx.selectNoFrom(engine.now.as('now')).executeTakeFirstOrThrow()
  const changes = [{ taskId: unit.task_id, name: unit.name, view }]
  const tasks = await showChanges(tx, engine, changes, now, (units, status) => settle?.(units) ?? status)
  const task: Task | undefined = tasks.get(unit.task_id)
  if (usage !== null && task !== undefined) await insertLedgerEntry(tx, { unit, task, usage, now })
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
  await showChanges(tx, engine, changes, now, (_, status) => status)
}
