import type { Statement as SqliteStatement } from 'better-sqlite3'
import type { CompiledQuery, Insertable, Kysely } from 'kysely'
import type { Connection } from './driver.js'
import type { Tables } from './tables.js'

export type ArchiveRow = Insertable<Tables['insight_archive']>

/** What the busiest calls ask of the database, asked without Kysely: its way there costs more than their work. */
export interface Direct {
  findRow<Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<Row | undefined>
  /** Appends to the archive and books each row as a call of `endpoint`: all or none. */
  archive(rows: readonly ArchiveRow[], endpoint: string): Promise<void>
}

type Statement = SqliteStatement<unknown[]>

interface Select {
  readonly statement: Statement
  readonly names: readonly string[]
}

/** `db` gives turns on the connection `database`. */
export function createSqliteDirect(db: Kysely<Tables>, database: Connection): Direct {
  const selects = new Map<string, Select>()
  let insert: Statement | undefined
  let book: Statement | undefined

  function prepareSelect(sql: string): Select {
    let select = selects.get(sql)
    if (select === undefined) {
      const statement = database.prepare<unknown[]>(sql).raw()
      select = { statement, names: statement.columns().map(({ name }) => name) }
      selects.set(sql, select)
    }
    return select
  }

  const archiveAll = database.transaction((rows: readonly ArchiveRow[], endpoint: string) => {
    insert ??= database.prepare(db.insertInto('insight_archive').values(rows.slice(0, 1)).compile().sql)
    book ??= database.prepare(bookSql)
    let last = 0
    for (const row of rows) last = Number(insert.run(Object.values(row)).lastInsertRowid)
    // Within a transaction row IDs follow one another.
    book.run(endpoint, last - rows.length)
  })

  return {
    async findRow<Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<Row | undefined> {
      // What a transaction has not committed yet must not be seen: its end is waited for.
      if (database.inTransaction) return (await db.executeQuery<Row>({ ...query, parameters })).rows[0]
      const { statement, names } = prepareSelect(query.sql)
      return toRow<Row>(names, statement.get(parameters))
    },
    archive: (rows, endpoint) => db.connection().execute(async () => archiveAll.immediate(rows, endpoint)),
  }
}

const bookSql = `
  insert into usage_entries (request_id, key_id, endpoint, user_id, pet_id, missing_id, created_at)
  select request_id, key_id, ?, user_hash, pet_hash, 0, generated_at from insight_archive where rowid > ? order by rowid`

/** Names and values put together here take a quarter less time than rows with names from better-sqlite3. */
function toRow<Row>(names: readonly string[], values: unknown): Row | undefined {
  if (!Array.isArray(values)) return undefined
  const row: Record<string, unknown> = {}
  for (let place = 0; place < names.length; place++) row[names[place] ?? ''] = values[place]
  return row as Row
}
