import type { Statement as SqliteStatement } from 'better-sqlite3'
import { type CompiledQuery, type Insertable, type Kysely, sql } from 'kysely'
import type { Connection } from './driver.js'
import type { Tables } from './tables.js'
import { type FoundTask, selectTask } from './task-row.js'
import { createWriteAll } from './write-all.js'
import type { Writer } from './writer.js'

export type ArchiveRow = Insertable<Tables['insight_archive']>

/** What the busiest calls ask of the database, asked without Kysely: its way there costs more than their work. */
export interface Direct {
  findTask(id: string): Promise<FoundTask | undefined>
  /**
   * Appends to the archive and books each row as a call of `endpoint`: all or none. Whoever is told that this failed
   * appends the rows again: where a thread died of itself between its commit and its answer, they are there twice rather
   * than not at all.
   */
  archive(rows: readonly ArchiveRow[], endpoint: string): Promise<void>
}

type Statement = SqliteStatement<unknown[]>

/** About 1 MB. */
const placesKept = 10_000

/** Fewer rows are written sooner than handed to a thread. */
const rowsForThread = 50

/** `db` gives turns on the connection `database`; `writer` writes to the same file. */
export function createSqliteDirect(db: Kysely<Tables>, database: Connection, writer: Pick<Writer, 'write'>): Direct {
  const findCommitted = createTaskFinder(db, database)
  const writeHere = createWriteAll(database)
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
      // What a transaction has not committed yet must not be seen: its end is waited for.
      if (database.inTransaction) return selectTask(db, id).executeTakeFirst()
      return findCommitted(id)
    },
    // The thread takes its turn like the others of this process, so that none of them finds the database locked.
    archive: (rows, endpoint) => db.connection().execute(() => archive(rows, endpoint)),
  }
}

/** The rows appended last: within a transaction row IDs follow one another. */
const bookSql = `
  insert into usage_entries (request_id, key_id, endpoint, user_id, pet_id, missing_id, created_at)
  select request_id, key_id, ?, user_hash, pet_hash, 0, generated_at from insight_archive
  where rowid > (select max(rowid) from insight_archive) - ? order by rowid`

/**
 * Clients ask for a task again and again, so it is kept where the rows of those are that were asked for last: among a million
 * tasks the way through the index of IDs is half of what SQLite takes longer than among a thousand.
 */
function createTaskFinder(db: Kysely<Tables>, database: Connection): (id: string) => FoundTask | undefined {
  const place = sql<number>`rowid`
  const findById = createSelect(database, selectTask(db, '').select(place.as('place')))
  // A row may move or go, and another come to its place.
  const findAtPlace = createSelect(database, selectTask(db, '').where(place, '=', 0))
  const places = new Map<string, number>()
  return (id) => {
    const known = places.get(id)
    const there = known === undefined ? undefined : findAtPlace(id, known)
    if (there !== undefined) return there
    const found = findById(id)
    if (found === undefined) return undefined
    if (places.size >= placesKept) places.clear()
    places.set(found.id, found.place)
    return found
  }
}

/** Answers the first row of a query that is compiled and prepared once. */
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

/** Names and values put together here take a quarter less time than rows with names from better-sqlite3. */
function toRow<Row>(names: readonly string[], values: unknown): Row | undefined {
  if (!Array.isArray(values)) return undefined
  const row: Record<string, unknown> = {}
  for (let place = 0; place < names.length; place++) row[names[place] ?? ''] = values[place]
  return row as Row
}
