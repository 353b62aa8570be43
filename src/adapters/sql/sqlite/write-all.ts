import type { Statement as SqliteStatement } from 'better-sqlite3'
import type { Connection } from './driver.js'

/** A statement that is run once per row of parameters; several rows at once if it ends with the `values (?, …)` of one. */
export interface Write {
  readonly sql: string
  /** The parameters of all rows, row by row. */
  readonly parameters: readonly unknown[]
  /** The number of parameters per row. */
  readonly columns: number
}

/** A row of one value takes 2 us in place of 3.2. */
const rowsAtOnce = 50

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
      const [values = ''] = /\((?:\?(?:, )?)+\)$/.exec(sql) ?? []
      for (let start = 0, rows = values === '' ? 1 : rowsAtOnce; start < parameters.length; start += rows * columns) {
        if (parameters.length - start < rows * columns) rows = 1
        prepare(sql + `, ${values}`.repeat(rows - 1)).run(parameters.slice(start, start + rows * columns))
      }
    }
  }).immediate
}

/** An error of a thread in a form that can be sent: SQLite's own errors lose their class on the way. */
export interface ThreadError {
  readonly message: string
  /** SQLite's code, such as `SQLITE_BUSY`; empty for other errors. */
  readonly code: string
}

export function toThreadError(error: unknown): ThreadError {
  const { message, code = '' } = error as Error & { readonly code?: string }
  return { message, code }
}

/** Restores the error in the receiving thread. */
export function toError({ message, code }: ThreadError): Error {
  return Object.assign(new Error(message), { code })
}
