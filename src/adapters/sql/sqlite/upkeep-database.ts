import { Kysely, sql } from 'kysely'
import type { Tables } from '../tables.js'
import { lockWaitMs } from '../upkeep/copy.js'
import { rowsPerBatch, type ScannedRow, toUpkeepTables, type UpkeepDatabase } from '../upkeep/upkeep-database.js'
import { createSqliteDialect } from './dialect.js'
import { type Connection, Database } from './driver.js'
import { findFileNumber, requireSameFile } from './file-number.js'

/** Small, so that a running server does not wait long for the lock. */
const rowsPerDelete = 5000

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
    async *scan(table, { after = 0, columns = sql`*`, where = sql<boolean>`true` } = {}) {
      // Every table has a `rowid`: no table is created without it.
      for (let position = after; ; ) {
        const { rows } = await sql<ScannedRow & { scanned: number }>`
          select rowid as scanned, ${columns} from ${sql.table(table)}
            where rowid > ${position} and ${where} order by rowid limit ${rowsPerBatch}`.execute(db)
        const last = rows.at(-1)
        if (last === undefined) return
        position = last.scanned
        yield { rows: rows.map(({ scanned, ...row }) => row), position }
      }
    },
    async deleteBefore(table, column, end) {
      for (let rows = 0; ; ) {
        const { numAffectedRows } = await sql`
          delete from ${sql.table(table)} where rowid in (select rowid from ${sql.table(table)}
            where ${sql.ref(column)} < ${end} limit ${rowsPerDelete})`.execute(db)
        rows += Number(numAffectedRows)
        if (Number(numAffectedRows) < rowsPerDelete) return rows
      }
    },
    close: () => db.destroy(),
  }
}
