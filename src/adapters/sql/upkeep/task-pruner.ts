import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.js'
import { toUnitId } from '../task-row.js'
import { dropNamed, findKeys } from './named-objects.js'
import { isFinal, isPrunable, type PruneOptions } from './prunable.js'
import type { UpkeepDatabase } from './upkeep-database.js'

/** Numbers of tasks by kind. */
export type Counts = Readonly<Record<string, number>>

export interface PrunedTasks {
  readonly tasks: Counts
  /** The object keys that only these tasks name. */
  readonly keys: ReadonlySet<string>
}

/** The tasks that one statement looks at: no statement reads all. */
const tasksPerQuery = 2000
/** Small, so that a running server does not wait long for a lock. */
const tasksPerCommit = 200
/** After so many tasks, all rows are searched for the objects that they name. */
const tasksPerRound = 100_000

/** Finds the tasks to prune. */
export async function findPrunable(database: UpkeepDatabase, options: PruneOptions): Promise<PrunedTasks> {
  const [counts, ids, keys] = [new Map<string, number>(), new Set<string>(), new Set<string>()]
  for await (const tasks of iteratePrunable(database.db, options)) {
    for (const task of tasks) {
      addTask(counts, task)
      ids.add(task.id)
      for (const key of findKeys(task.input + task.units)) keys.add(key)
    }
  }
  await dropNamed(database, keys, ids)
  return { tasks: Object.fromEntries([...counts].sort()), keys }
}

/**
 * Deletes the tasks to prune with the rows that depend on them, but no usage, in rounds. Children are deleted first, and a
 * task only if no child is left: a child that was created meanwhile needs it.
 */
export async function* pruneTasks(database: UpkeepDatabase, options: PruneOptions): AsyncGenerator<PrunedTasks> {
  let round = createRound()
  // Libraries with their pictures, then tasks without children, then their parents.
  for (const kinds of [['diary_library'], ['animation', 'diary'], undefined]) {
    for await (const tasks of iteratePrunable(database.db, options, kinds)) {
      for (const group of kinds?.[0] === 'diary_library' ? tasks.map((task) => [task]) : split(tasks)) {
        for (const task of await removeGroup(database, group)) round.add(task)
      }
      if (round.ids.size < tasksPerRound) continue
      yield await endRound(database, round)
      round = createRound()
    }
  }
  yield await endRound(database, round)
}

function removeGroup({ db, commit }: UpkeepDatabase, group: readonly PrunableTask[]): Promise<PrunableTask[]> {
  return commit(() => db.transaction().execute((tx) => remove(tx, group)))
}

type PrunableTask = Pick<Tables['tasks'], 'id' | 'kind' | 'user_id' | 'input' | 'units'>

/** Iterates over the tasks to prune, of some kinds or of all. Young tasks are not read, apart from some of each kind. */
async function* iteratePrunable(db: Kysely<Tables>, options: PruneOptions, kinds?: readonly string[]) {
  const { isOwned, before } = options
  const condition = isOwned ?? isPrunable(options)
  for (let after = ''; ; ) {
    const window = db
      .selectFrom('tasks')
      .select(['id', 'created_at'])
      .where('id', '>', after)
      .$if(isOwned !== undefined, (query) => query.where(condition))
      .orderBy('id')
      .limit(tasksPerQuery)
    const tasks = await window.execute()
    const last = tasks.at(-1)?.id
    if (last === undefined) return
    const mayEnd = isOwned !== undefined || tasks.some(({ created_at }) => created_at < before)
    if (!mayEnd) {
      after = toEndOfKind(last)
      continue
    }
    yield await db
      .selectFrom('tasks')
      .select(taskColumns)
      .where('id', '>', after)
      .where('id', '<=', last)
      .where(condition)
      .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds as never))
      .orderBy('id')
      .execute()
    after = last
  }
}

/** IDs of a kind ascend with time: the rest is younger. Returns a text after them, and before the IDs of the next kind. */
function toEndOfKind(id: string): string {
  const [prefix] = /^.*_/.exec(id) ?? []
  return prefix === undefined ? id : `${prefix}\``
}

const taskColumns = ['id', 'kind', 'user_id', 'input', 'units'] as const

function split<Item>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = []
  for (let first = 0; first < items.length; first += tasksPerCommit)
    groups.push(items.slice(first, first + tasksPerCommit))
  return groups
}

function createRound() {
  const [counts, ids, keys] = [new Map<string, number>(), new Set<string>(), new Set<string>()]
  return {
    counts,
    ids,
    keys,
    add(task: PrunableTask) {
      addTask(counts, task)
      ids.add(task.id)
      for (const key of findKeys(task.input + task.units)) keys.add(key)
    },
  }
}

function addTask(counts: Map<string, number>, { kind }: PrunableTask): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

async function endRound(
  database: UpkeepDatabase,
  { counts, ids, keys }: ReturnType<typeof createRound>,
): Promise<PrunedTasks> {
  if (ids.size > 0) {
    await forgetAnswers(database, ids)
    await dropNamed(database, keys)
  }
  return { tasks: Object.fromEntries([...counts].sort()), keys }
}

/** Deletes stored answers that name a deleted task. */
async function forgetAnswers({ db, scan }: UpkeepDatabase, ids: ReadonlySet<string>): Promise<void> {
  const keys: string[] = []
  for await (const rows of scan('idempotency_keys', { columns: sql`key, body` })) {
    for (const { key, body } of rows) {
      if (body !== null && ids.has(JSON.parse(String(body)).task_id)) keys.push(String(key))
    }
  }
  for (const group of split(keys)) await db.deleteFrom('idempotency_keys').where('key', 'in', group).execute()
}

/** Deletes tasks, those of a library first. Returns the deleted ones. */
async function remove(tx: Transaction<Tables>, tasks: readonly PrunableTask[]): Promise<PrunableTask[]> {
  const ids = tasks.map(({ id }) => id)
  if (ids.length === 0) return []
  const libraries = tasks.filter(({ kind }) => kind === 'diary_library').map(({ id }) => id)
  const children =
    libraries.length === 0
      ? []
      : await tx.selectFrom('tasks').select('id').where('parent_id', 'in', libraries).execute()
  const removed: PrunableTask[] = []
  for (const group of [...split(children.map(({ id }) => id)), ids]) removed.push(...(await removeTasks(tx, group)))
  const [images, unitIds] = [removed.flatMap(listImages), removed.flatMap(listUnitIds)]
  for (const group of split(images)) await tx.deleteFrom('feedback').where('object_key', 'in', group).execute()
  for (const group of split(unitIds)) {
    await tx.deleteFrom('units').where('id', 'in', group).execute()
    await tx.deleteFrom('fault_units').where('unit_id', 'in', group).execute()
  }
  await countDown(tx, removed)
  return removed
}

function removeTasks(tx: Transaction<Tables>, ids: readonly string[]): Promise<PrunableTask[]> {
  return tx
    .deleteFrom('tasks')
    .where('id', 'in', ids)
    .where(sql<boolean>`(${isFinal} or kind = 'diary_library')`)
    .where(sql<boolean>`not exists (select 1 from tasks as child where child.parent_id = tasks.id)`)
    .returning(taskColumns)
    .execute()
}

function listImages({ units }: PrunableTask): string[] {
  const views = JSON.parse(units) as readonly { output: { files: Record<string, string> } | null }[]
  return views.flatMap(({ output }) => output?.files.image ?? [])
}

function listUnitIds({ id, units }: PrunableTask): string[] {
  return (JSON.parse(units) as readonly unknown[]).map((_, place) => toUnitId(id, place))
}

async function countDown(tx: Transaction<Tables>, removed: readonly PrunableTask[]): Promise<void> {
  const totals = new Map<string, number>()
  for (const { kind, user_id } of removed) {
    if (kind !== 'diary') continue
    for (const user of ['', user_id]) totals.set(user, (totals.get(user) ?? 0) + 1)
  }
  // In one order, so that no two transactions wait for each other.
  for (const [user, total] of [...totals].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await tx
      .updateTable('diary_counts')
      .set((set) => ({ total: set('total', '-', total) }))
      .where('user_id', '=', user)
      .execute()
  }
}
