import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { countDiaryTasks } from '../diary.js'
import type { Tables } from '../tables.js'
import { toUnitId } from '../task-row.js'
import { dropNamed, findKeys } from './named-objects.js'
import type { UpkeepDatabase } from './upkeep-database.js'

export interface PruneOptions {
  /** In place of the following: the condition for the tasks to prune, in any state. */
  readonly isOwned?: RawBuilder<boolean>

  /** Tasks that ended before this time are pruned, epoch milliseconds. */
  readonly before: number
  /** True if avatars with an identity asset are pruned too. */
  readonly identityAssets: boolean
}

export interface PrunedTasks {
  /** Numbers by kind. */
  readonly tasks: Readonly<Record<string, number>>
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
  const round = createRound()
  for await (const tasks of iteratePrunable(database.db, options)) tasks.forEach(round.add)
  await dropNamed(database, round.keys, round.ids)
  return round.result()
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
    ids,
    keys,
    add({ id, kind, input, units }: PrunableTask) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      ids.add(id)
      for (const key of findKeys(input + units)) keys.add(key)
    },
    result: (): PrunedTasks => ({ tasks: Object.fromEntries([...counts].sort()), keys }),
  }
}

async function endRound(database: UpkeepDatabase, round: ReturnType<typeof createRound>): Promise<PrunedTasks> {
  if (round.ids.size > 0) {
    await forgetAnswers(database, round.ids)
    await dropNamed(database, round.keys)
  }
  return round.result()
}

/** Deletes stored answers that name a deleted task. */
async function forgetAnswers({ db, scan }: UpkeepDatabase, ids: ReadonlySet<string>): Promise<void> {
  const keys: string[] = []
  for await (const rows of scan('idempotency_keys', sql`key, body`)) {
    for (const { key, body } of rows) {
      if (body !== null && ids.has(JSON.parse(String(body)).task_id)) keys.push(String(key))
    }
  }
  for (const group of split(keys)) await db.deleteFrom('idempotency_keys').where('key', 'in', group).execute()
}

/** Deletes tasks, those of a library first. Returns the deleted ones. */
async function remove(tx: Transaction<Tables>, tasks: readonly PrunableTask[]): Promise<PrunableTask[]> {
  const ids = tasks.map(({ id }) => id)
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
  const users = removed.flatMap(({ kind, user_id }) => (kind === 'diary' ? [user_id] : []))
  await countDiaryTasks(tx, users, -1)
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

const finalStatuses = sql`('success', 'partial_success', 'failed', 'delete_failed')`
/** The condition for a task that does not change any more. */
const isFinal = sql<boolean>`status in ${finalStatuses}`

/** Like `exists`, which PostgreSQL may turn into a hash of all tasks that the query finds for any row. */
const findsOne = (query: RawBuilder<unknown>) => sql`(${query} limit 1) is not null`

/** Returns the condition for tasks of the table `tasks` that are pruned. Without parameters, for use in several places. */
function isPrunable({ before, identityAssets }: PruneOptions): RawBuilder<boolean> {
  const time = sql.lit(before)
  const isOld = (task: string) =>
    sql`${sql.ref(`${task}.finished_at`)} > 0 and ${sql.ref(`${task}.finished_at`)} < ${time}
      and ${sql.ref(`${task}.status`)} in ${finalStatuses}`
  const hasYoungChild = (task: string) =>
    findsOne(
      sql`select 1 from tasks as child where child.parent_id = ${sql.ref(`${task}.id`)} and not (${isOld('child')})`,
    )
  // A library is pruned with all its tasks or not at all. Its own row has no end.
  const isLibrary = (task: string) =>
    sql`${sql.ref(`${task}.kind`)} = 'diary_library' and ${sql.ref(`${task}.created_at`)} < ${time}
      and not ${hasYoungChild(task)}`
  const isAvatar = (task: string) =>
    sql`${isOld(task)} and (${identityAssets ? sql`true` : sql`${sql.ref(`${task}.status`)} <> 'success'`})
      and not ${hasYoungChild(task)}`
  const keptParent = (condition: RawBuilder<unknown>) =>
    findsOne(sql`select 1 from tasks as parent where parent.id = tasks.parent_id and ${condition}`)
  const isNewest = sql`tasks.id = (select newest.id from tasks as newest
    where newest.parent_id = tasks.parent_id and newest.kind = 'animation' and newest.status <> 'deleting'
    order by newest.created_at desc, newest.id desc limit 1)`
  return sql<boolean>`case tasks.kind
    when 'diary_library' then ${isLibrary('tasks')}
    when 'diary' then ${isOld('tasks')} and not ${keptParent(sql`not (${isLibrary('parent')})`)}
    when 'avatar' then ${isAvatar('tasks')}
    when 'animation' then ${isOld('tasks')} and not (${isNewest}
      and ${keptParent(sql`parent.kind = 'avatar' and parent.status = 'success' and not (${isAvatar('parent')})`)})
    else ${isOld('tasks')} end`
}
