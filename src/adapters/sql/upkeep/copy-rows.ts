import { type Kysely, sql, type Transaction } from 'kysely'
import { SvcError } from '../../../errors.js'
import type { Tables } from '../tables.js'
import { isUnfinished, toUnfinished } from './unfinished.js'
import type { ScannedRow, UpkeepDatabase } from './upkeep-database.js'

/** Tables of the processes that work on a database, and of the database. */
const ownTables: readonly string[] = ['holders', 'settings']
/** Triggers write these tables while others are copied, so they come last. */
const triggeredTables: readonly string[] = ['spending']
/** The settings of a database, which another one has for its own. */
const ownSettings = ['schema_floor', 'secret_fingerprint']
const positionPrefix = 'moved '

/** Lists the tables that are copied, in the order of copying. */
export async function listCopiedTables(source: Pick<UpkeepDatabase, 'listTables'>): Promise<string[]> {
  const names = (await source.listTables()).map(({ name }) => name).filter((name) => !ownTables.includes(name))
  return [...names.filter((name) => !triggeredTables.includes(name)), ...triggeredTables.filter(isIn(names))]
}

const isIn = (names: readonly string[]) => (name: string) => names.includes(name)

/**
 * Prepares an empty database for the rows of a service, whose secret has this fingerprint. Returns true if an earlier copy was
 * interrupted and goes on. Throws `conflict` if the database holds anything else.
 */
export async function beginCopy(target: UpkeepDatabase, fingerprint: string): Promise<boolean> {
  const value = toUnfinished(fingerprint)
  const row = await target.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'secret_fingerprint')
    .executeTakeFirst()
  if (row?.value === value) return true
  if (row !== undefined && isUnfinished(row.value)) {
    throw new SvcError('conflict', 'The database holds a part of another service, whose move was interrupted.')
  }
  for (const table of await listCopiedTables(target)) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target.db)
    if (rows.length > 0) throw new SvcError('conflict', 'The database holds a service already. Name an empty one.')
  }
  await target.db
    .insertInto('settings')
    .values({ name: 'secret_fingerprint', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  return false
}

/** Copies a table, or the rest of it. Each batch and its position are committed together. */
export async function copyTable(
  source: UpkeepDatabase,
  target: UpkeepDatabase,
  table: string,
  report: (rows: number) => void,
): Promise<void> {
  let position = await findPosition(target.db, table)
  if (position === undefined) {
    await target.db.transaction().execute(async (tx) => {
      // Rows that triggers have written.
      await any(tx).deleteFrom(table).execute()
      await tx
        .insertInto('settings')
        .values({ name: positionPrefix + table, value: '0' })
        .execute()
    })
    position = 0
  }
  for await (const batch of source.scan(table, { after: position })) {
    const before = position
    await target.db.transaction().execute(async (tx) => {
      await savePosition(tx, table, before, batch.position)
      await insert(tx, table, batch.rows)
    })
    position = batch.position
    report(batch.rows.length)
  }
}

/** Copies the settings, and removes the traces of the copy: from now on, processes can start on the database. */
export async function endCopy(source: UpkeepDatabase, target: UpkeepDatabase, fingerprint: string): Promise<void> {
  const settings = await source.db.selectFrom('settings').selectAll().execute()
  await target.db.transaction().execute(async (tx) => {
    for (const { name, value } of settings) {
      if (ownSettings.includes(name) || name.startsWith(positionPrefix)) continue
      const upsert = tx.insertInto('settings').values({ name, value })
      await upsert.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })).execute()
    }
    await tx.deleteFrom('settings').where('name', 'like', `${positionPrefix}%`).execute()
    await tx.updateTable('settings').set({ value: fingerprint }).where('name', '=', 'secret_fingerprint').execute()
  })
}

async function findPosition(db: Kysely<Tables>, table: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', positionPrefix + table)
    .executeTakeFirst()
  return row === undefined ? undefined : Number(row.value)
}

/** Throws `conflict` if another process copies the same table. */
async function savePosition(tx: Transaction<Tables>, table: string, before: number, after: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('settings')
    .set({ value: String(after) })
    .where('name', '=', positionPrefix + table)
    .where('value', '=', String(before))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new SvcError('conflict', 'Another svc data move fills this database.')
}

async function insert(tx: Transaction<Tables>, table: string, rows: readonly ScannedRow[]): Promise<void> {
  for (const row of rows) {
    for (const [column, value] of Object.entries(row)) {
      if (typeof value !== 'string' || !value.includes('\0')) continue
      const message = `A row of ${table} has the character U+0000 in ${column}, which PostgreSQL cannot store. Remove the row.`
      throw new SvcError('invalid_request', message)
    }
  }
  await any(tx)
    .insertInto(table)
    .values([...rows])
    .execute()
}

/** Also for tables of later versions. */
// biome-ignore lint/suspicious/noExplicitAny: the names of tables are those of the database.
const any = (db: Kysely<Tables>) => db as unknown as Kysely<any>
