import type { Statement as SqliteStatement } from 'better-sqlite3'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { ArchiveRow, FeedbackRow, HotQueries } from '../database.js'
import { selectPoseImages, upsertFeedback } from '../feedback.js'
import type { Tables } from '../tables.js'
import { type SelectedTask, selectTask } from '../task-row.js'
import type { Connection } from './driver.js'
import { createWriteAll } from './write-all.js'
import { rowsForThread, type Writer } from './writer.js'

type Statement = SqliteStatement<unknown[]>

/** About 1 MB. */
const rowIdsKept = 10_000

/** Creates the queries without Kysely, whose overhead exceeds their own cost. `db` serializes access to the connection `database`; `writer` writes to the same file. */
export function createSqliteHotQueries(
  db: Kysely<Tables>,
  database: Connection,
  writer: Pick<Writer, 'write'>,
): HotQueries {
  const findCommitted = createTaskFinder(db, database)
  const writeHere = createWriteAll(database)
  const saveAll = createSaveAll(db, database)
  let insertSql: string | undefined

  async function archive(rows: readonly ArchiveRow[], endpoint: string): Promise<void> {
    insertSql ??= db.insertInto('insight_archive').values(rows.slice(0, 1)).compile().sql
    const parameters: unknown[] = []
    for (const row of rows) parameters.push(...Object.values(row))
    const writes = [
      { sql: insertSql, parameters, columns: parameters.length / rows.length },
      { sql: bookSql, parameters: [endpoint, rows.length], columns: 2 },
    ]
    const writing = rows.length >= rowsForThread ? writer.write(writes) : undefined
    await (writing ?? writeHere(writes))
  }

  return {
    async findTask(id) {
      // Waits for a running transaction on the same connection: its uncommitted rows must not be seen.
      if (database.inTransaction) return selectTask(db, id).executeTakeFirst()
      return findCommitted(id)
    },
    // Waits for a running transaction on the same connection.
    saveFeedback: (calls) => db.connection().execute(async () => saveAll(calls)),
    // Holds the connection while the thread writes, so that no query of this process finds the database locked.
    archive: (rows, endpoint) => db.connection().execute(() => archive(rows, endpoint)),
  }
}

/** Books the rows appended last. Row IDs are consecutive within a transaction. */
const bookSql = `
  insert into usage_entries (request_id, call_id, key_id, endpoint, user_id, pet_id, missing_id, created_at)
  select request_id, call_id, key_id, ?, user_hash, pet_hash, 0, generated_at from insight_archive
  where rowid > (select max(rowid) from insight_archive) - ? order by rowid`

/**
 * Clients poll tasks, so the row IDs of recently read tasks are cached. With a million tasks, the lookup in the index of IDs
 * is half of what SQLite takes longer than with a thousand.
 */
function createTaskFinder(db: Kysely<Tables>, database: Connection): (id: string) => SelectedTask | undefined {
  const rowId = sql<number>`rowid`
  const findById = createSelect(database, selectTask(db, '').select(rowId.as('rowId')))
  // By ID and row ID: a row may be deleted, and its row ID reused.
  const findByRowId = createSelect(database, selectTask(db, '').where(rowId, '=', 0))
  const rowIds = new Map<string, number>()
  return (id) => {
    const known = rowIds.get(id)
    const cached = known === undefined ? undefined : findByRowId(id, known)
    if (cached !== undefined) return cached
    const found = findById(id)
    if (found === undefined) return undefined
    if (rowIds.size >= rowIdsKept) rowIds.clear()
    rowIds.set(found.id, found.rowId)
    return found
  }
}

/** Returns a function that reads the first row of a query, which is compiled and prepared once. */
function createSelect<Row>(database: Connection, query: { compile(): CompiledQuery<Row> }) {
  let prepared: { readonly statement: Statement; readonly names: readonly string[] } | undefined
  return (...parameters: readonly unknown[]): Row | undefined => {
    prepared ??= prepareSelect(database, query.compile().sql)
    return toRow<Row>(prepared.names, prepared.statement.get(parameters))
  }
}

function prepareSelect(database: Connection, text: string) {
  const statement = database.prepare<unknown[]>(text).raw()
  return { statement, names: statement.columns().map(({ name }) => name) }
}

/** Combines names and values in 25 % less time than better-sqlite3 takes for rows with names. */
function toRow<Row>(names: readonly string[], values: unknown): Row | undefined {
  if (!Array.isArray(values)) return undefined
  const row: Record<string, unknown> = {}
  for (let place = 0; place < names.length; place++) row[names[place] ?? ''] = values[place]
  return row as Row
}

/** Returns a function that saves the feedback of calls in one commit, which costs more than their rows. */
function createSaveAll(db: Kysely<Tables>, database: Connection) {
  const example: FeedbackRow = { object_key: '', liked: null, selected: null, updated_at: 0 }
  const find = database.prepare<unknown[]>(selectPoseImages(db, ['']).compile().sql)
  const save = database.prepare<unknown[]>(upsertFeedback(db, [example]).compile().sql)
  return database.transaction((calls: readonly (readonly FeedbackRow[])[]) =>
    calls.map((rows) => {
      const unknown = rows.map(({ object_key }) => object_key).filter((key) => find.get(key) === undefined)
      if (unknown.length === 0) for (const row of rows) save.run(Object.values(row))
      return unknown
    }),
  ).immediate
}
