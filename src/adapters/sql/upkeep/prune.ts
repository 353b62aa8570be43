import { type Connection, Database } from '../driver.js'
import { findFileNumber, requireSameFile } from '../file-number.js'
import { lockWaitMs } from './copy.js'
import { findKeys, iterateNamedObjects } from './named-objects.js'

export interface PruneOptions {
  /** What ended before goes, epoch milliseconds. */
  readonly before: number
  /** Whether avatars that identity assets stand for go, too. */
  readonly identityAssets: boolean
}

/** How many tasks, by kind. */
export type Counts = Readonly<Record<string, number>>

export interface TaskPruner {
  /** How many tasks of each kind are to go. */
  readonly chosen: Counts
  /** The files that they alone name. */
  findObjects(): Set<string>
  /** Removes them with all that hangs on them; what was counted and billed stays. Answers how many of each kind it were. */
  remove(): Counts
  /** Takes from a set the files that any row names. */
  dropNamed(keys: Set<string>): void
  close(): void
}

/** Rows a commit: a server beside it must not wait for long. */
const rowsPerCommit = 200

/** Chooses the finished tasks that can go. What was chosen and is needed by then is not removed. */
export function openTaskPruner(file: string, options: PruneOptions): TaskPruner {
  const number = findFileNumber(file)
  const database = new Database(file, { fileMustExist: true, timeout: lockWaitMs })
  try {
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
  // A library goes whole or not at all: its own row never ends.
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
  // What an asset that stands shows: the newest animation of its avatar.
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

/** Children first, and a task only when none is left: one that was made meanwhile needs it. */
function remove(database: Connection): Counts {
  // Put in order once: to sort for each commit what is left would take a time that grows with the square of the rows.
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
    // A library and its pictures go together, unless they are more than all that goes at once.
    const isCut = rows.length === rowsPerCommit && rows[0]?.root !== rows.at(-1)?.root
    const whole = isCut ? rows.filter(({ root }) => root !== rows.at(-1)?.root) : rows
    place = whole.at(-1)?.place ?? place
    for (const kind of removeRows(whole.map(({ id }) => id))) counts[kind] = (counts[kind] ?? 0) + 1
  }
  // An answer that would lead to a task that is gone.
  database.exec(`delete from idempotency_keys where json_valid(body) and json_extract(body, '$.task_id') is not null
    and not exists (select 1 from tasks where id = json_extract(body, '$.task_id'))`)
  return counts
}

/** Removes tasks in one commit, and answers of which kind those were that could go. */
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
    // The IDs of units are that of the task, a slash and a number; `0` follows the slash.
    removeUnits.run(`${id}/`, `${id}0`)
    if (row.kind === 'diary') countDown.run(row.user_id)
    return [row.kind]
  }
  const removeAll = database.transaction((ids: readonly string[]) => ids.flatMap(removeOne))
  return (ids) => removeAll.immediate(ids)
}
