import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.js'
import { isPostgres } from '../usage-days.js'
import type { UpkeepDatabase } from './upkeep-database.js'

/** A pet or a user, by the ID and by its hash. */
export interface ErasedOwner {
  readonly of: 'pet' | 'user'
  readonly id: string
  readonly hash: string
}

/** Stands in sums in place of an ID that was erased. No pet has this ID. */
export const erasedName = '(erased)'

const rowsPerStatement = 500

/** Returns the condition for the rows of an owner in a table whose column has the ID, or the hash in its place. */
export function isOwned({ of, id, hash }: ErasedOwner, column: string = `${of}_id`): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} in (${id}, ${hash})`
}

/** Returns the call IDs, and the ends of the IDs, of all that a line of the log may name of an owner. */
export async function findTraces(database: UpkeepDatabase, owner: ErasedOwner): Promise<Set<string>> {
  const find = (table: string, id: string, column?: string) =>
    database.selectWhere<{ call_id: string | null; id: string }>(
      table,
      sql`call_id, ${sql.ref(id)} as id`,
      isOwned(owner, column),
    )
  const rows = [
    ...(await find('tasks', 'id')),
    ...(await find('usage_entries', 'call_id')),
    ...(await find('insight_archive', 'call_id', `${owner.of}_hash`)),
  ]
  return new Set(rows.flatMap(({ call_id, id }) => [call_id ?? [], id?.match(idEnd) ?? []].flat()))
}

/** A call ID, or the end of an ID, which pictures and identity assets share with their task. */
const idEnd = /[0-9A-Z]{16,26}/g

/** Deletes the lines of the log that name one of these IDs, or only counts them. */
export async function eraseLines(
  { db, commit, scan }: UpkeepDatabase,
  traces: ReadonlySet<string>,
  dryRun: boolean,
): Promise<number> {
  // A table of an earlier version on SQLite has no column for it.
  const number = sql.ref(isPostgres(db) ? 'id' : 'rowid')
  const isTraced = (line: string) => (line.match(idEnd) ?? []).some((end) => traces.has(end))
  const lines: number[] = []
  if (traces.size > 0) {
    for await (const rows of scan('log_lines', sql`${number} as id, line`)) {
      for (const { id, line } of rows) if (isTraced(String(line))) lines.push(Number(id))
    }
  }
  for (let first = 0; !dryRun && first < lines.length; first += rowsPerStatement) {
    const some = lines.slice(first, first + rowsPerStatement)
    await commit(() => sql`delete from log_lines where ${number} in (${sql.join(some)})`.execute(db))
  }
  return lines.length
}

export type ErasedRows = Readonly<Record<'home_insights' | 'selections' | 'insight_archive', number>>

/** Deletes the home cards, selections of diary pictures and archived insights of an owner, or only counts them. */
export async function eraseRows(database: UpkeepDatabase, owner: ErasedOwner, dryRun: boolean): Promise<ErasedRows> {
  const erase = (table: string, column?: string) =>
    database.changeWhere(table, isOwned(owner, column), dryRun ? undefined : sql`delete from ${sql.table(table)}`)
  return {
    home_insights: await erase('home_insights'),
    selections: await erase('selections'),
    insight_archive: await erase('insight_archive', `${owner.of}_hash`),
  }
}

/** Removes the ID of an owner from usage, paid calls and sums, whose numbers stay, or only counts these rows. */
export async function forgetOwner(database: UpkeepDatabase, owner: ErasedOwner, dryRun: boolean): Promise<number> {
  const { db, engine, commit, changeWhere } = database
  const column = sql.ref(`${owner.of}_id`)
  let rows = 0
  for (const table of ['usage_entries', 'usage_ledger']) {
    const change = dryRun ? undefined : sql`update ${sql.table(table)} set ${column} = ${erasedName}`
    rows += await changeWhere(table, isOwned(owner), change)
  }
  if (dryRun) return rows
  await commit(() =>
    db.transaction().execute(async (tx) => {
      // Days that are summed meanwhile have the ID in their sums, or not any more.
      await engine.takeTurn(tx, 'usage of days')
      await mergeSums(tx, owner, dayTable)
      await sql`update usage_days set ${column} = ${erasedName} where ${isOwned(owner)}`.execute(tx)
      if (owner.of === 'pet') await mergeSums(tx, owner, spendingTable)
    }),
  )
  return rows
}

/** A table with a row for each owner: the columns of the key with the owner's name, and the others. */
interface SumTable {
  readonly table: 'usage_days' | 'spending'
  readonly kind: string
  readonly name: string
  readonly key: readonly string[]
  readonly sums: readonly string[]
  /** Null if they differ between the merged rows. */
  readonly same: readonly string[]
}

const dayTable: SumTable = {
  table: 'usage_days',
  kind: 'summed_by',
  name: 'name',
  key: ['summed_by', 'day', 'name', 'missing'],
  sums: ['requests', 'units', 'cost', 'maybe_cost'],
  same: ['pet_id', 'user_id', 'key_id', 'model'],
}

const spendingTable: SumTable = {
  table: 'spending',
  kind: 'owner_kind',
  name: 'owner_id',
  key: ['owner_kind', 'owner_id', 'starts_at'],
  sums: ['micros'],
  same: [],
}

/** Adds the sums of an owner to those of all that were erased. */
async function mergeSums(tx: Transaction<Tables>, owner: ErasedOwner, parts: SumTable): Promise<void> {
  const { table, kind, name, key, sums, same } = parts
  const removed = await sql<Record<string, unknown>>`delete from ${sql.table(table)}
    where ${sql.ref(kind)} in (${owner.of}, ${`${owner.of} month`}) and ${isOwned(owner, name)} returning *`.execute(tx)
  const [old, added] = [
    (column: string) => sql.ref(`${table}.${column}`),
    (column: string) => sql.ref(`excluded.${column}`),
  ]
  const changes = [
    ...sums.map((column) => sql`${sql.ref(column)} = ${old(column)} + ${added(column)}`),
    ...same.map(
      (column) => sql`${sql.ref(column)} = case when ${old(column)} = ${added(column)} then ${old(column)} end`,
    ),
  ]
  for (const row of removed.rows) {
    const columns = [...key, ...sums, ...same]
    const values = columns.map((column) => ([name, `${owner.of}_id`].includes(column) ? erasedName : row[column]))
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values (${sql.join(values)})
      on conflict (${sql.join(key.map((column) => sql.ref(column)))}) do update set ${sql.join(changes)}`.execute(tx)
  }
}
