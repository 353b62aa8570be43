import { type Connection, Database } from '../sqlite/driver.js'
import { findFileNumber, requireSameFile } from '../sqlite/file-number.js'
import { lockWaitMs } from './copy.js'
import { findKeys, iterateNamedObjects } from './named-objects.js'

export interface PruneOptions {
  /** Tasks that ended before this time are pruned, epoch milliseconds. */
  readonly before: number
  /** True if avatars with an identity asset are pruned too. */
  readonly identityAssets: boolean
}

/** Numbers of tasks by kind. */
export type Counts = Readonly<Record<string, number>>

export interface TaskPruner {
  /** The chosen tasks of each kind. */
  readonly chosen: Counts
  /** Returns the object keys that only chosen tasks name. */
  findObjects(): Set<string>
  /** Deletes the chosen tasks and their dependent rows, but no usage. Returns the number of deleted tasks of each kind. */
  remove(): Counts
  /** Removes from a set the object keys that any row names. */
  dropNamed(keys: Set<string>): void
  close(): void
}

/** Small, so that a running server does not wait long for the lock. */
const rowsPerCommit = 200

/** Chooses the finished tasks to prune. A chosen task that is needed by the time of `remove` stays. */
export function openTaskPruner(file: string, options: PruneOptions): TaskPruner {
  const number = findFileNumber(file)
  const database = new Database(file, { fileMustExist: true, timeout: lockWaitMs })
  try {
    // The caller deletes files after their rows: a power loss must not bring the rows back.
    database.pragma('synchronous = FULL')
    choose(database, options)
    requireSameFile(file, number)
    const counts = database
      .prepare<[], [string, number]>(
        'select kind, count(*) from tasks where id in (select id from temp.pruned) group by kind order by kind',
      )
      .raw()
      .all()
    return {
      chosen: Object.fromEntries(counts),
      findObjects: () => findObjects(database),
      remove: () => remove(database),
      dropNamed: (keys) => dropNamed(database, keys),
      close: () => {
        database.close()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

const isFinal = "status in ('success', 'partial_success', 'failed', 'delete_failed')"

function choose(database: Connection, { before, identityAssets }: PruneOptions): void {
  const run = (sql: string, ...parameters: unknown[]) => database.prepare(sql).run(...parameters)
  run('create temp table pruned (id text primary key) without rowid')
  run(`insert into temp.pruned select id from tasks where finished_at > 0 and finished_at < ? and ${isFinal}`, before)
  // A library is pruned with all its tasks or not at all. Its own row has no end.
  const hasOther = 'exists (select 1 from tasks child where child.parent_id = tasks.id and child.id not in temp.pruned)'
  run(
    `insert or ignore into temp.pruned
     select id from tasks where kind = 'diary_library' and created_at < ? and not ${hasOther}`,
    before,
  )
  const keep = (condition: string) =>
    run(`delete from temp.pruned where id in (select id from tasks where ${condition})`)
  keep("kind = 'diary' and parent_id in (select id from tasks where id not in temp.pruned)")
  if (!identityAssets) keep("kind = 'avatar' and status = 'success'")
  keep(`kind = 'avatar' and ${hasOther}`)
  // An identity asset that stays shows the newest animation of its avatar.
  keep(`kind = 'animation'
    and parent_id in (select id from tasks where kind = 'avatar' and status = 'success' and id not in temp.pruned)
    and id = (select newest.id from tasks newest
      where newest.parent_id = tasks.parent_id and newest.kind = 'animation' and newest.status <> 'deleting'
      order by newest.created_at desc, newest.id desc limit 1)`)
}

function findObjects(database: Connection): Set<string> {
  const keys = new Set<string>()
  const texts = database
    .prepare<[], string>("select input || ' ' || units from tasks where id in (select id from temp.pruned)")
    .pluck()
    .iterate()
  for (const text of texts) for (const key of findKeys(text)) keys.add(key)
  dropNamed(database, keys, 'temp.pruned')
  return keys
}

function dropNamed(database: Connection, keys: Set<string>, exceptTasks?: string): void {
  if (keys.size > 0) for (const key of iterateNamedObjects(database, exceptTasks)) keys.delete(key)
}

/** Deletes children first, and a task only if no child is left: a child created meanwhile needs it. */
function remove(database: Connection): Counts {
  // Sorted once: sorting the rest for each commit would take quadratic time.
  database.exec(`create temp table going (place integer primary key, id text not null, root text not null);
    insert into temp.going (id, root) select id, coalesce(parent_id, id) as root from tasks
    where id in (select id from temp.pruned) order by root, parent_id is null`)
  const findRows = database.prepare<[number, number], { place: number; id: string; root: string }>(
    'select * from temp.going where place > ? order by place limit ?',
  )
  const removeRows = createRemove(database)
  const counts: Record<string, number> = {}
  for (let place = 0; ; ) {
    const rows = findRows.all(place, rowsPerCommit)
    if (rows.length === 0) break
    // A library and its pictures are deleted in one commit, unless they exceed `rowsPerCommit`.
    const isCut = rows.length === rowsPerCommit && rows[0]?.root !== rows.at(-1)?.root
    const whole = isCut ? rows.filter(({ root }) => root !== rows.at(-1)?.root) : rows
    place = whole.at(-1)?.place ?? place
    for (const kind of removeRows(whole.map(({ id }) => id))) counts[kind] = (counts[kind] ?? 0) + 1
  }
  // Stored answers that name a deleted task.
  database.exec(`delete from idempotency_keys where json_valid(body) and json_extract(body, '$.task_id') is not null
    and not exists (select 1 from tasks where id = json_extract(body, '$.task_id'))`)
  return counts
}

/** Returns a function that deletes tasks in one commit and returns the kinds of the deleted tasks. */
function createRemove(database: Connection): (ids: readonly string[]) => string[] {
  const findChild = database.prepare<[string]>('select 1 from tasks where parent_id = ? limit 1')
  const removeFeedback = database.prepare<[string]>(`delete from feedback where object_key in
    (select json_extract(value, '$.output.files.image') from tasks, json_each(tasks.units) where tasks.id = ?)`)
  const removeTask = database.prepare<[string], { kind: string; user_id: string }>(
    `delete from tasks where id = ? and (${isFinal} or kind = 'diary_library') returning kind, user_id`,
  )
  const removeUnits = database.prepare<[string, string]>('delete from units where id > ? and id < ?')
  const countDown = database.prepare<[string]>("update diary_counts set total = total - 1 where user_id in ('', ?)")
  const removeOne = (id: string): string[] => {
    if (findChild.get(id) !== undefined) return []
    removeFeedback.run(id)
    const row = removeTask.get(id)
    if (row === undefined) return []
    // Unit IDs are the task's ID, a slash and a number; `0` is the character after the slash.
    removeUnits.run(`${id}/`, `${id}0`)
    if (row.kind === 'diary') countDown.run(row.user_id)
    return [row.kind]
  }
  const removeAll = database.transaction((ids: readonly string[]) => ids.flatMap(removeOne))
  return (ids) => removeAll.immediate(ids)
}
