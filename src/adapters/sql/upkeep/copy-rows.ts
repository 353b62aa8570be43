import { type Kysely, sql, type Transaction } from 'kysely'
import { SvcError } from '../../../errors.js'
import { findSetting, saveSetting } from '../database.js'
import type { Tables } from '../tables.js'
import { isUnfinished, toUnfinished } from './unfinished.js'
import type { ScannedRow, UpkeepDatabase } from './upkeep-database.js'

/** Tables of the processes that work on a database, and of the database. The request log stays where it was written. */
const ownTables: readonly string[] = ['holders', 'settings', 'log_lines']
/** Triggers write these tables while others are copied, so they come last. */
const triggeredTables: readonly string[] = ['spending']
/** The settings of a database, which another one has for its own. */
const ownSettings = ['schema_floor', 'secret_fingerprint']
/** Lists the tables that are copied, in the order of copying. */
export async function listCopiedTables(source: Pick<UpkeepDatabase, 'listTables'>): Promise<string[]> {
  const names = (await source.listTables()).map(({ name }) => name).filter((name) => !ownTables.includes(name))
  const isTriggered = (name: string) => triggeredTables.includes(name)
  return [...names.filter((name) => !isTriggered(name)), ...names.filter(isTriggered)]
}

/**
 * Marks an empty database as the target of a move, so that no process starts on it. Throws `conflict` if it holds anything, or
 * is marked already.
 */
export async function markTarget(target: UpkeepDatabase, fingerprint: string): Promise<void> {
  if (isUnfinished((await findSetting(target.db, 'secret_fingerprint')) ?? '')) {
    throw new SvcError('conflict', 'Another svc data move fills the database, or was interrupted. Name an empty one.')
  }
  for (const table of await listCopiedTables(target)) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target.db)
    if (rows.length > 0) throw new SvcError('conflict', 'The database holds a service already. Name an empty one.')
  }
  await saveSetting(target.db, 'secret_fingerprint', toUnfinished(fingerprint))
}

/**
 * Copies all rows to a marked database in one transaction, compares the number of rows of each table, and removes the mark.
 * Returns the numbers. Throws `conflict` if one differs; the target then has no rows.
 */
export async function copyRows(
  source: UpkeepDatabase,
  target: UpkeepDatabase,
  fingerprint: string,
  report: (table: string, rows: number) => void,
): Promise<Readonly<Record<string, number>>> {
  const tables = await listCopiedTables(source)
  const settings = await source.db.selectFrom('settings').selectAll().where('name', 'not in', ownSettings).execute()
  return target.db.transaction().execute(async (tx) => {
    const counts: Record<string, number> = {}
    for (const table of tables) {
      // Rows that triggers have written.
      await any(tx).deleteFrom(table).execute()
      let rows = 0
      for await (const batch of source.scan(table)) {
        await insert(tx, table, batch)
        rows += batch.length
        report(table, batch.length)
      }
      await requireCount(tx, table, rows)
      counts[table] = rows
    }
    await tx.deleteFrom('settings').where('name', 'not in', ownSettings).execute()
    if (settings.length > 0) await tx.insertInto('settings').values(settings).execute()
    await tx.updateTable('settings').set({ value: fingerprint }).where('name', '=', 'secret_fingerprint').execute()
    return counts
  })
}

async function requireCount(tx: Transaction<Tables>, table: string, expected: number): Promise<void> {
  const { rows } = await sql<{ copied: number }>`select count(*) as copied from ${sql.table(table)}`.execute(tx)
  const copied = Number(rows[0]?.copied)
  if (copied === expected) return
  throw new SvcError('conflict', `The copy of ${table} has ${copied} rows in place of ${expected}. Nothing was moved.`)
}

async function insert(tx: Transaction<Tables>, table: string, rows: readonly ScannedRow[]): Promise<void> {
  // Earlier versions accepted U+0000, which PostgreSQL does not store.
  const toStored = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
  const values = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toStored(value)])),
  )
  await any(tx).insertInto(table).values(values).execute()
}

/** Also for tables of later versions. */
// biome-ignore lint/suspicious/noExplicitAny: the names of tables are those of the database.
const any = (db: Kysely<Tables>) => db as unknown as Kysely<any>
