import { Kysely, sql } from 'kysely'
import type { Tables } from '../tables.js'
import { lockWaitMs } from '../upkeep/inspect.js'
import {
  rowsPerBatch,
  rowsPerDelete,
  type ScannedRow,
  toUpkeepTables,
  type UpkeepDatabase,
} from '../upkeep/upkeep-database.js'
import { createSqliteDialect } from './dialect.js'
import { type Connection, Database } from './driver.js'
import { findFileNumber, requireSameFile } from './file-number.js'

/** Opens a migrated database file, which a server may use at the same time. */
export function openSqliteUpkeep(file: string, { readonly = false } = {}): UpkeepDatabase {
  const number = findFileNumber(file)
  const database = new Database(file, { fileMustExist: true, readonly, timeout: lockWaitMs })
  try {
    // The caller deletes files after their rows: a power loss must not bring the rows back.
    if (!readonly) database.pragma('synchronous = FULL')
    database.pragma('schema_version')
    requireSameFile(file, number)
  } catch (error) {
    database.close()
    throw error
  }
  return toSqliteUpkeep(database)
}

/** Uses an open connection. */
export function toSqliteUpkeep(connection: Connection): UpkeepDatabase {
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(connection) })
  return {
    db,
    // A write transaction locks the whole database.
    engine: { async takeTurn() {} },
    // The driver waits for locks.
    commit: (work) => work(),
    async listTables() {
      const { rows } = await sql<{ table: string; column: string; type: string }>`
        select m.name as "table", c.name as "column", c.type as type from sqlite_master m, pragma_table_info(m.name) c
          where m.type = 'table' order by m.name, c.cid`.execute(db)
      return toUpkeepTables(rows)
    },
    async *scan(table, { columns = sql`*` } = {}) {
      // Every table has a `rowid`: no table is created without it.
      for (let position = 0; ; ) {
        const { rows } = await sql<ScannedRow & { scanned: number }>`
          select rowid as scanned, ${columns} from ${sql.table(table)}
            where rowid > ${position} order by rowid limit ${rowsPerBatch}`.execute(db)
        const last = rows.at(-1)
        if (last === undefined) return
        position = last.scanned
        yield rows.map(({ scanned, ...row }) => row)
      }
    },
    async countBefore(table, column, end) {
      let rows = 0
      for await (const { old } of iterateWindows(db, table, column, end)) rows += old
      return rows
    },
    async deleteBefore(table, column, end) {
      let rows = 0
      for await (const { after, last, old } of iterateWindows(db, table, column, end)) {
        // A statement without rows to delete would take the lock too.
        if (old === 0) continue
        const { numAffectedRows } = await sql`delete from ${sql.table(table)}
          where rowid > ${after} and rowid <= ${last} and ${sql.ref(column)} < ${end}`.execute(db)
        rows += Number(numAffectedRows)
      }
      return rows
    },
    close: () => db.destroy(),
  }
}

interface RowWindow {
  readonly after: number
  readonly last: number
  /** The rows before the time. */
  readonly old: number
}

/** Reads a table, which has no index by time, a part after the other. */
async function* iterateWindows(
  db: Kysely<Tables>,
  table: string,
  column: string,
  end: number,
): AsyncGenerator<RowWindow> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ last: number | null; old: number }>`
      select max(rowid) as last, count(case when time < ${end} then 1 end) as old from (
        select rowid, ${sql.ref(column)} as time from ${sql.table(table)}
          where rowid > ${after} order by rowid limit ${rowsPerDelete})`.execute(db)
    const { last = null, old = 0 } = rows[0] ?? {}
    if (last === null) return
    yield { after, last, old }
    after = last
  }
}
