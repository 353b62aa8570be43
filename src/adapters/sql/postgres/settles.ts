import type { Retry, Settle, UnitOutcome, UnitQueue } from '../../../ports/queue.js'
import type { TaskStatus, UnitView } from '../../../ports/tasks.js'
import type { LedgerEntry } from '../../../ports/usage.js'
import { toLedgerRow } from '../ledger.js'
import { toUnitId } from '../task-row.js'
import { createBatch } from './batch.js'
import type { RunStatement } from './connection.js'
import { nowText } from './engine.js'
import { retryAfterConflict } from './failures.js'
import type { KnownTasks, LeasedUnit, VersionedTask } from './known-tasks.js'
import { createValues } from './values.js'

const changesAtMost = 100

/** The end of a lease: the changes of its unit, of its task, and of the ledger. */
interface LeaseEnd {
  readonly lease: string
  readonly view: Partial<UnitView>
  /** Undefined if the status of the task stays. */
  readonly settle?: Settle
  readonly unit: {
    readonly status: UnitView['status']
    /** Undefined if the memo stays. */
    readonly memo?: string | null
    readonly image_key?: string | null
    /** Undefined if the attempt does not count. */
    readonly delayMs?: number
  }
  readonly usage: (LedgerEntry & { readonly delivered: boolean }) | null
}

type Known = ReturnType<KnownTasks['find']>

/**
 * Ends leases in groups: results that arrive together are written by one statement, which locks the rows of tasks for its own
 * duration only. It writes a task if no other process has written it since it was read, and is repeated otherwise.
 */
export function createPostgresSettles(
  run: RunStatement,
  known: KnownTasks,
): Pick<UnitQueue, 'settleUnit' | 'retryUnit' | 'releaseUnits'> {
  const end = createBatch((ends: readonly LeaseEnd[]) => retryAfterConflict(() => write(ends)), {
    itemsAtMost: changesAtMost,
    runsAtMost: 1,
    keyOf: ({ lease }) => lease,
  })

  async function write(ends: readonly LeaseEnd[]): Promise<boolean[]> {
    const done = new Map<string, boolean>()
    for (let isFirst = true; done.size < ends.length; isFirst = false) {
      const left = ends.filter(({ lease }) => !done.has(lease))
      // Nothing is known of a lease that another process claimed, or that was lost.
      const read = await readAll(left.filter(({ lease }) => !isFirst || known.find(lease) === undefined))
      const found = left.flatMap((end) => {
        const of = read.get(end.lease) ?? (isFirst ? known.find(end.lease) : undefined)
        if (of === undefined) done.set(end.lease, false)
        return of === undefined ? [] : [{ end, ...of }]
      })
      if (found.length === 0) break
      const written = new Set(await writeFound(run, found, known))
      for (const { end, unit } of found) if (written.has(unit.task_id)) done.set(end.lease, true)
    }
    for (const { lease } of ends) known.forget(lease)
    return ends.map(({ lease }) => done.get(lease) === true)
  }

  async function readAll(ends: readonly LeaseEnd[]): Promise<ReadonlyMap<string, NonNullable<Known>>> {
    if (ends.length === 0) return new Map()
    const rows = await run<VersionedTask & Omit<LeasedUnit, 'id'> & { readonly unit_id: string }>(readText, [
      ends.map(({ lease }) => lease),
    ])
    return new Map(rows.map((row) => [row.lease, { unit: { ...row, id: row.unit_id }, task: row }]))
  }

  return {
    settleUnit: (lease, outcome, settle) => end(toSettled(lease, outcome, settle)),
    retryUnit: (lease, retry) => end(toRetried(lease, retry)),
    async releaseUnits(leases) {
      const unit = { status: 'pending' } as const
      await Promise.all(leases.map((lease) => end({ lease, unit, view: { status: 'pending' }, usage: null })))
    },
  }
}

function toSettled(lease: string, outcome: UnitOutcome, settle: Settle): LeaseEnd {
  const isDelivered = outcome.status === 'success'
  return {
    lease,
    settle,
    view: isDelivered
      ? { status: outcome.status, output: outcome.output }
      : { status: outcome.status, failure: outcome.failure },
    unit: {
      status: outcome.status,
      memo: null,
      image_key: isDelivered ? (outcome.output.files.image ?? null) : null,
    },
    usage: outcome.usage && { ...outcome.usage, delivered: isDelivered },
  }
}

function toRetried(lease: string, { delayMs, memo, usage }: Retry): LeaseEnd {
  return {
    lease,
    view: { status: 'pending' },
    unit: { status: 'pending', memo: JSON.stringify(memo), delayMs: Math.ceil(delayMs) },
    usage: usage && { ...usage, delivered: false },
  }
}

interface SettledRow {
  readonly end: LeaseEnd
  readonly unit: LeasedUnit
  readonly task: VersionedTask
}

/** Returns the IDs of the tasks that were written. */
async function writeFound(run: RunStatement, found: readonly SettledRow[], known: KnownTasks): Promise<string[]> {
  const byTask = new Map<string, SettledRow[]>()
  for (const one of found) byTask.set(one.task.id, [...(byTask.get(one.task.id) ?? []), one])
  const tasks = [...byTask.values()].map(applyEnds)
  const ledger = found.flatMap(({ end: { usage, unit: change }, unit, task }) => {
    if (usage === null) return []
    // If the answer was lost and its cost is unknown, the reserved amount is booked.
    const isUnknown = change.status !== 'pending' && !usage.certain && usage.costMicros === 0
    const costMicros = isUnknown ? (unit.reserved ?? 0) : usage.costMicros
    return [toLedgerRow({ unit, task: toBooked(task), usage: { ...usage, costMicros }, now: 0 })]
  })
  // In one order, as far as possible: budgets are summed by key and pet.
  ledger.sort((one, other) => compare(one.key_id, other.key_id) || compare(one.pet_id, other.pet_id))
  const isReserved = found.some(({ end, unit }) => unit.reserved !== null && end.unit.status !== 'pending')
  const { text, values } = toStatement(found, tasks, ledger, isReserved)
  const written = await run<{ id: string; version: string }>(text, values)
  const versions = new Map(written.map(({ id, version }) => [id, version]))
  for (const { row } of tasks) {
    const version = versions.get(row.id)
    if (version !== undefined) known.update({ ...row, version })
  }
  return [...versions.keys()]
}

function toBooked({ id, key_id, user_id, pet_id, missing }: VersionedTask) {
  return { id, keyId: key_id, owner: { userId: user_id, petId: pet_id, missing: JSON.parse(missing) } }
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Applies the ends of leases to their task's row. */
function applyEnds(found: readonly SettledRow[]) {
  const { task } = found[0] as SettledRow
  const units: UnitView[] = JSON.parse(task.units)
  let status: TaskStatus = task.status
  for (const { end, unit } of found) {
    const place = units.findIndex(({ name }) => name === unit.name)
    const view = units[place]
    if (view !== undefined) units[place] = { ...view, ...end.view }
    status = end.settle?.(units) ?? status
  }
  const isFinished = units.every((unit) => unit.status === 'success' || unit.status === 'failed')
  const row = { ...task, units: JSON.stringify(units), status, finished_at: isFinished ? 1 : 0 }
  return { row, version: task.version, leases: found.length }
}

/** Returns the units that may have waited for this one, the first of its task. */
function listWaiting({ end, unit, task }: SettledRow): string[] {
  if (end.unit.status === 'pending' || unit.id !== toUnitId(task.id, 0)) return []
  const units: UnitView[] = JSON.parse(task.units)
  return units.flatMap(({ status }, place) => (status === 'pending' && place > 0 ? [toUnitId(task.id, place)] : []))
}

function toStatement(
  found: readonly SettledRow[],
  tasks: readonly ReturnType<typeof applyEnds>[],
  ledger: readonly ReturnType<typeof toLedgerRow>[],
  isReserved: boolean,
): { readonly text: string; readonly values: readonly unknown[] } {
  const { values, add, addRows } = createValues()
  const ends = addRows(
    'ends',
    endColumns,
    found.map(({ end: { lease, unit }, task }) => ({
      ...{ lease, task_id: task.id, status: unit.status, keeps_memo: unit.memo === undefined ? 1 : 0 },
      ...{ memo: unit.memo ?? null, image_key: unit.image_key ?? null, delay: unit.delayMs ?? null },
    })),
  )
  const written = addRows(
    'written',
    { id: 'text', version: 'text', units: 'text', status: 'text', is_finished: 'integer', leases: 'integer' } as const,
    tasks.map(({ row, version, leases }) => ({ ...row, version, leases, is_finished: row.finished_at })),
  )
  // Only if needed: each adds parameters.
  const book = () => `booked as (
    insert into usage_ledger (${Object.keys(ledgerColumns).join(', ')}, created_at)
      select booked.*, ${nowText} from ${addRows('booked', ledgerColumns, ledger)}
      where task_id in (select id from ready)
  )`
  const released = `released as (
    delete from reservations where unit_id = any (array (select id from ended where status <> 'pending'))
  )`
  const waiting = found.flatMap(listWaiting)
  // `|| ''` keeps the planner from the indexes of pending units, which it would read whole.
  const freed = () => `freed as (
    update units set run_at = ${nowText}
      where id = any (${add(waiting)}) and status || '' = 'pending' and claims = 0 and run_at > ${nowText}
        and task_id in (select id from ready)
  )`
  const text = `
    with ends as materialized (select * from ${ends}),
    held as materialized (
      select units.id, units.lease, units.task_id from units where units.lease = any ($1::text[])
        order by units.id for update
    ),
    written as materialized (select * from ${written}),
    locked as materialized (
      select id from tasks where id = any (array (select task_id from held))
        and xmin::text = (select version from written where written.id = tasks.id)
        order by id for update
    ),
    ready as materialized (
      select written.* from written join locked on locked.id = written.id
        where written.leases = (select count(*) from held where held.task_id = written.id)
    ),
    ended as (
      update units set lease = null, holder_id = null, status = ends.status, image_key = ends.image_key,
        memo = case when ends.keeps_memo = 1 then units.memo else ends.memo end,
        attempts = units.attempts + case when ends.delay is null then 0 else 1 end,
        run_at = coalesce(${nowText} + ends.delay, units.run_at)
        from ends where ends.lease = units.lease
          and units.id = any (array (select held.id from held where held.task_id in (select id from ready)))
        returning units.id, units.status
    ),
    ${ledger.length > 0 ? `${book()},` : ''}
    ${isReserved ? `${released},` : ''}
    ${waiting.length > 0 ? `${freed()},` : ''}
    shown as (
      update tasks set units = ready.units, status = ready.status, updated_at = ${nowText},
        finished_at = case when ready.is_finished = 1 then ${nowText} else 0 end
        from ready where tasks.id = ready.id and tasks.id = any (array (select id from ready))
        returning tasks.id, tasks.xmin::text as version
    )
    select id, version from shown`
  return { text, values }
}

const endColumns = {
  ...({ lease: 'text', task_id: 'text', status: 'text', keeps_memo: 'integer', memo: 'text' } as const),
  ...({ image_key: 'text', delay: 'bigint' } as const),
}
const ledgerColumns = {
  ...({
    unit_id: 'text',
    attempt: 'integer',
    task_id: 'text',
    key_id: 'text',
    user_id: 'text',
    pet_id: 'text',
  } as const),
  ...({ missing: 'text', model: 'text', unit: 'text', quantity: 'integer', delivered: 'integer' } as const),
  ...({ cost_micros: 'bigint', certain: 'integer', maybe_duplicate: 'integer' } as const),
}

const readText = `
  select units.id as unit_id, units.task_id, units.name, units.claims, units.lease, tasks.*, tasks.xmin::text as version,
      (select cost_micros from reservations where unit_id = units.id) as reserved
    from units join tasks on tasks.id = units.task_id where units.lease = any ($1)`
