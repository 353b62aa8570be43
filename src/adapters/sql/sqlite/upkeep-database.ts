import { Kysely, type RawBuilder, sql } from 'kysely'
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
import type { Connection } from './driver.js'
import { openSameFile } from './file-number.js'

/** Opens a migrated database file, which a server may use at the same time. */
export function openSqliteUpkeep(file: string, { readonly = false } = {}): UpkeepDatabase {
  const database = openSameFile(file, { fileMustExist: true, readonly, timeout: lockWaitMs })
  // The caller deletes files after their rows: a power loss must not bring the rows back.
  if (!readonly) database.pragma('synchronous = FULL')
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
    async *scan(table, columns = sql`*`) {
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
    deleteBefore: (table, column, end, dryRun) =>
      changeWhere(
        db,
        table,
        sql`${sql.ref(column)} < ${end}`,
        dryRun ? undefined : sql`delete from ${sql.table(table)}`,
      ),
    async selectWhere<Row>(table: string, columns: RawBuilder<unknown>, condition: RawBuilder<unknown>) {
      return (await sql<Row>`select ${columns} from ${sql.table(table)} where ${condition}`.execute(db)).rows
    },
    changeWhere: (table, condition, change) => changeWhere(db, table, condition, change),
    close: () => db.destroy(),
  }
}

/** Reads a table, which has no index for the condition, and changes it, a part after the other. */
async function changeWhere(
  db: Kysely<Tables>,
  table: string,
  condition: RawBuilder<unknown>,
  change?: RawBuilder<unknown>,
): Promise<number> {
  let rows = 0
  for (let after = 0; ; ) {
    const window = await sql<{ last: number | null; found: number }>`
      select max(scanned) as last, count(case when found then 1 end) as found from (
        select rowid as scanned, ${condition} as found from ${sql.table(table)}
          where rowid > ${after} order by rowid limit ${rowsPerDelete})`.execute(db)
    const { last = null, found = 0 } = window.rows[0] ?? {}
    if (last === null) return rows
    // A statement without rows to change would take the lock too.
    if (change === undefined || found === 0) rows += found
    else {
      const { numAffectedRows } = await sql`${change}
        where rowid > ${after} and rowid <= ${last} and ${condition}`.execute(db)
      rows += Number(numAffectedRows)
    }
    after = last
  }
}
