import type { ArchiveRow, HotQueries, KeyReservation } from '../database.js'
import { type FeedbackRow, toFeedbackRow } from '../feedback.js'
import { type SelectedTask, taskColumns } from '../task-row.js'
import type { RunStatement } from './connection.js'
import { isCommitUnknown } from './failures.js'

const rowsAtOnce = 100

/** Creates the queries without Kysely, whose overhead exceeds their own cost. Concurrent calls share a statement. */
export function createHotQueries(run: RunStatement): HotQueries {
  const findTasksText = `select ${taskColumns.join(', ')} from tasks where id = any ($1)`

  async function findTasks(ids: readonly string[]): Promise<(SelectedTask | undefined)[]> {
    const rows = await run<SelectedTask>(findTasksText, [[...new Set(ids)]])
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => byId.get(id))
  }

  return {
    findTask: createBatch(findTasks, { itemsAtMost: rowsAtOnce, runsAtMost: 2 }),
    saveFeedback: createSaveFeedback(run),
    reserveKey: createBatch((reservations: readonly KeyReservation[]) => reserveKeys(run, reservations), {
      itemsAtMost: rowsAtOnce,
      runsAtMost: 1,
      keyOf: ({ key }) => key,
    }),
    archive: createArchive(run),
  }
}

/** After a commit whose response was lost, only the rows are written that it did not write. */
function createArchive(run: RunStatement): HotQueries['archive'] {
  let mayBeWritten = false
  return async (rows, endpoint) => {
    const { values, add, addRows } = createValues()
    const columns = [...archiveTexts, 'generated_at'].join(', ')
    const texts = Object.fromEntries(archiveTexts.map((name) => [name, 'text' as const]))
    const source = addRows<keyof ArchiveRow>('called', { ...texts, generated_at: 'bigint' } as ArchiveTypes, rows)
    const isNew = 'not exists (select from usage_entries where usage_entries.call_id = called.call_id)'
    const text = `
      with called as materialized (select * from ${source} ${mayBeWritten ? `where ${isNew}` : ''}),
      archived as (insert into insight_archive (${columns}) select ${columns} from called)
      insert into usage_entries (request_id, call_id, key_id, endpoint, user_id, pet_id, missing_id, created_at)
        select request_id, call_id, key_id, ${add(endpoint)}, user_hash, pet_hash, 0, generated_at from called`
    try {
      await run(text, values)
      mayBeWritten = false
    } catch (error) {
      mayBeWritten ||= isCommitUnknown(error)
      throw error
    }
  }
}

type ArchiveTypes = Readonly<Record<keyof ArchiveRow, Type>>

const archiveTexts = [
  ...(['insight_id', 'request_id', 'call_id', 'key_id', 'user_hash', 'pet_hash', 'metric', 'view_window'] as const),
  ...(['locale', 'status', 'rule_id', 'rule_version', 'fact_version', 'summary_hash'] as const),
]

/** In the order of the keys, so that no two statements wait for each other. */
async function reserveKeys(run: RunStatement, reservations: readonly KeyReservation[]): Promise<boolean[]> {
  const { values, addRows } = createValues()
  const columns = {
    ...({ key: 'text', fingerprint: 'text', now: 'bigint' } as const),
    ...({ held_until: 'bigint', expires_at: 'bigint', holder_id: 'text' } as const),
  }
  const source = addRows('asked', columns, reservations)
  const now = `(select now from unnest($1::text[], $3::bigint[]) as times (key, now) where times.key = excluded.key)`
  const text = `
    insert into idempotency_keys as keys (key, fingerprint, body, held_until, expires_at, holder_id)
      select key, fingerprint, null, held_until, expires_at, holder_id from ${source} order by key
      on conflict (key) do update set fingerprint = excluded.fingerprint, body = null, held_until = excluded.held_until,
        expires_at = excluded.expires_at, holder_id = excluded.holder_id
      where keys.expires_at <= ${now} or (keys.body is null and keys.held_until <= ${now})
      returning key`
  const reserved = new Set((await run<{ key: string }>(text, values)).map(({ key }) => key))
  return reservations.map(({ key }) => reserved.has(key))
}

const callsAtOnce = 50

/** Saves the feedback of concurrent calls in one statement. A call with an unknown key saves nothing. */
function createSaveFeedback(run: RunStatement): HotQueries['saveFeedback'] {
  const save = createBatch((calls: readonly (readonly FeedbackRow[])[]) => saveAll(run, calls), {
    itemsAtMost: callsAtOnce,
    runsAtMost: 1,
  })
  return (feedback, now) => save(feedback.map((entry) => toFeedbackRow(entry, now)))
}

const columns = { object_key: 'text', liked: 'integer', selected: 'integer', updated_at: 'bigint' } as const

/** Returns the unknown keys of each call. */
async function saveAll(run: RunStatement, calls: readonly (readonly FeedbackRow[])[]): Promise<string[][]> {
  const { values, addRows } = createValues()
  const rows = calls.flatMap((call, place) => call.map((row) => ({ ...row, call: place })))
  const source = addRows('given', { ...columns, call: 'integer' }, rows)
  const last = (name: string) => `(array_agg(${name} order by call desc) filter (where ${name} is not null))[1]`
  // A value that is null keeps the stored one. In the order of the keys, so that no two statements wait for each other.
  const text = `
    with given as materialized (select * from ${source}),
    unknown as materialized (
      select call, object_key from given where not exists (select from units where units.image_key = given.object_key)
    ),
    saved as (
      insert into feedback (${Object.keys(columns).join(', ')})
        select object_key, ${last('liked')}, ${last('selected')}, max(updated_at) from given
          where call not in (select call from unknown) group by object_key order by object_key
        on conflict (object_key) do update set liked = coalesce(excluded.liked, feedback.liked),
          selected = coalesce(excluded.selected, feedback.selected), updated_at = excluded.updated_at
    )
    select call, object_key from unknown`
  const unknown = await run<{ call: number; object_key: string }>(text, values)
  return calls.map((_, place) => unknown.flatMap(({ call, object_key: key }) => (call === place ? [key] : [])))
}

/** The type of a column. */
type Type = 'text' | 'bigint' | 'integer'

/**
 * Collects the parameters of a statement. Rows are passed as one array per column, so the text is the same for any number of
 * rows, and is prepared once.
 */
function createValues() {
  const values: unknown[] = []
  const add = (value: unknown): string => `$${values.push(value)}`
  return {
    values,
    add,
    /** Returns `unnest(…) as name (columns)`. */
    addRows<Column extends string>(
      name: string,
      columns: Readonly<Record<Column, Type>>,
      rows: readonly Readonly<Partial<Record<NoInfer<Column>, unknown>>>[],
    ): string {
      const names = Object.keys(columns) as Column[]
      const arrays = names.map((column) => `${add(rows.map((row) => row[column] ?? null))}::${columns[column]}[]`)
      return `unnest(${arrays.join(', ')}) as ${name} (${names.join(', ')})`
    },
  }
}

interface BatchItem<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

interface BatchOptions<Item> {
  readonly itemsAtMost: number
  readonly runsAtMost: number
  /** Items of one key are in different runs. */
  readonly keyOf?: (item: Item) => string
}

/**
 * Returns a function that runs the items of concurrent calls together: a statement for all of them costs little more than for
 * one. While `runsAtMost` runs are under way, further items wait for the next. `run` returns the results in the order of its
 * items; if it rejects, all of its callers get the error.
 */
function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { itemsAtMost, runsAtMost, keyOf }: BatchOptions<Item>,
): (item: Item) => Promise<Result> {
  let waiting: BatchItem<Item, Result>[] = []
  let running = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || running >= runsAtMost || waiting.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      void runNext()
    })
  }

  function takeGroup(): BatchItem<Item, Result>[] {
    const group: BatchItem<Item, Result>[] = []
    const left: BatchItem<Item, Result>[] = []
    const keys = new Set<string>()
    for (const one of waiting) {
      const key = keyOf?.(one.item)
      const isTaken = group.length < itemsAtMost && (key === undefined || !keys.has(key))
      if (isTaken && key !== undefined) keys.add(key)
      ;(isTaken ? group : left).push(one)
    }
    waiting = left
    return group
  }

  async function runNext(): Promise<void> {
    const group = takeGroup()
    running++
    schedule()
    try {
      const results = await run(group.map(({ item }) => item))
      for (const [place, { resolve }] of group.entries()) resolve(results[place] as Result)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    running--
    schedule()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      schedule()
    })
}
