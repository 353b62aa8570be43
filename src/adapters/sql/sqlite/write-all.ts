import type { Statement as SqliteStatement } from 'better-sqlite3'
import type { Connection } from './driver.js'

/** A statement that is run once per row of parameters. */
export interface Write {
  readonly sql: string
  /** The parameters of all rows, row by row. */
  readonly parameters: readonly unknown[]
  /** The number of parameters per row. */
  readonly columns: number
}

/** Runs the writes in one transaction. Meant for few distinct statements, which stay prepared. */
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
