import type { Statement as SqliteStatement } from 'better-sqlite3'
import type { Connection } from './driver.js'

/** A statement that is run for one row of parameters after another. */
export interface Write {
  readonly sql: string
  /** Those of all rows, row by row. */
  readonly parameters: readonly unknown[]
  /** How many a row has. */
  readonly columns: number
}

/** Runs the writes in one transaction: all or none. It is for few statements, which are kept prepared. */
export function createWriteAll(database: Connection): (writes: readonly Write[]) => void {
  const statements = new Map<string, SqliteStatement<unknown[]>>()

  function prepare(sql: string): SqliteStatement<unknown[]> {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare<unknown[]>(sql)
    statements.set(sql, statement)
    return statement
  }

  return database.transaction((writes: readonly Write[]) => {
    for (const { sql, parameters, columns } of writes) {
      const statement = prepare(sql)
      for (let start = 0; start < parameters.length; start += columns) {
        statement.run(parameters.slice(start, start + columns))
      }
    }
  }).immediate
}
