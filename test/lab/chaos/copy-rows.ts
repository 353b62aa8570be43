import { Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import { query } from '../../helpers/postgres.js'

/** Copies the rows of a PostgreSQL database to a new file of SQLite: the same queries compare both engines. */
export async function copyRows(address: string, file: string): Promise<void> {
  await (await openSqliteStore(file)).close()
  const database = new Database(file)
  const list = (sql: string) => database.prepare<[], string>(sql).pluck().all()
  // They keep sums, which are copied too.
  for (const trigger of list("select name from sqlite_master where type = 'trigger'")) {
    database.exec(`drop trigger "${trigger}"`)
  }
  const tables = list(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
  )
  for (const table of tables) {
    const columns = list(`select name from pragma_table_info('${table}')`)
    const names = columns.map((name) => `"${name}"`).join(', ')
    const rows = await query(address, `select ${names} from "${table}"`)
    database.exec(`delete from "${table}"`)
    const insert = database.prepare(`insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`)
    database.transaction(() => {
      for (const row of rows) insert.run(columns.map((name) => row[name]))
    })()
  }
  database.close()
}
