import type Database from 'better-sqlite3'
import type { CompiledQuery, Insertable, Kysely } from 'kysely'
import type { Tables } from './tables.js'

/** Rows to append to a table: all name the same columns in the same order. */
export type Addition = {
  readonly [T in keyof Tables]: { readonly table: T; readonly rows: readonly Insertable<Tables[T]>[] }
}[keyof Tables]

/** What the busiest calls ask of the database, asked without Kysely: its way there costs more than their work. */
export interface Direct {
  findRow<Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<Row | undefined>
  /** Appends all rows or none. */
  append(additions: readonly Addition[]): Promise<void>
}

type Statement = Database.Statement<unknown[]>

/** `db` gives turns on the connection `database`. */
export function createSqliteDirect(db: Kysely<Tables>, database: Database.Database): Direct {
  const selects = new Map<string, ReturnType<typeof prepareSelect>>()
  const inserts = new Map<keyof Tables, Statement>()

  function prepareSelect(sql: string) {
    const statement: Statement = database.prepare(sql)
    return { statement: statement.raw(), names: statement.columns().map(({ name }) => name) }
  }

  function prepareInsert({ table, rows }: Addition): Statement {
    return database.prepare(db.insertInto(table).values(rows.slice(0, 1)).compile().sql)
  }

  const appendAll = database.transaction((additions: readonly Addition[]) => {
    for (const addition of additions) {
      if (addition.rows.length === 0) continue
      const insert = remember(inserts, addition.table, () => prepareInsert(addition))
      for (const row of addition.rows) insert.run(Object.values(row))
    }
  })

  return {
    async findRow<Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<Row | undefined> {
      // What a transaction has not committed yet must not be seen: its end is waited for.
      if (database.inTransaction) return (await db.executeQuery<Row>({ ...query, parameters })).rows[0]
      const { statement, names } = remember(selects, query.sql, () => prepareSelect(query.sql))
      return toRow<Row>(names, statement.get(parameters))
    },
    append: (additions) => db.connection().execute(async () => appendAll.immediate(additions)),
  }
}

function remember<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

/** Names and values put together here take a quarter less time than rows with names from better-sqlite3. */
function toRow<Row>(names: readonly string[], values: unknown): Row | undefined {
  if (!Array.isArray(values)) return undefined
  const row: Record<string, unknown> = {}
  for (let place = 0; place < names.length; place++) row[names[place] ?? ''] = values[place]
  return row as Row
}
