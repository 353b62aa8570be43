import { type ControlledTransaction, type Kysely, sql } from 'kysely'
import { SvcError } from '../../../errors.js'
import type { Tables } from '../tables.js'
import {
  rowsPerBatch,
  type ScannedRow,
  type ScanOptions,
  toUpkeepTables,
  type UpkeepDatabase,
} from '../upkeep/upkeep-database.js'
import { connect } from './connection.js'
import { postgresEngine, serverNowText } from './engine.js'
import { retryAfterConflict } from './failures.js'

/** A process tells every second that it lives. */
const livingMs = 5000
const sliceMs = 3_600_000

/** Opens a database that processes may use at the same time. */
export function openPostgresUpkeep(url: string): UpkeepDatabase {
  const { db, close } = connect(url, 2)
  return {
    db,
    engine: postgresEngine,
    commit: retryAfterConflict,
    listTables: () => listTables(db),
    async *scan(table, options) {
      const tx = await retryAfterConflict(() => beginReading(db))
      try {
        yield* scanIn(tx, table, options)
      } finally {
        await tx.rollback().execute()
      }
    },
    deleteBefore: (table, column, end) => deleteBefore(db, table, column, end),
    close,
  }
}

/**
 * Opens a database and locks all its tables against writers until it is closed. Reads show its state at this time. Throws
 * `conflict` if a process works on it. `url` must not lead to a pooler that limits the time of a transaction.
 */
export async function lockPostgres(url: string): Promise<UpkeepDatabase> {
  const { db, close } = connect(url, 1)
  let tx: ControlledTransaction<Tables> | undefined
  try {
    const tables = await listTables(db)
    tx = await beginReading(db)
    const names = tables.map(({ name }) => sql.table(name))
    if (names.length > 0) await sql`lock table ${sql.join(names)} in share mode nowait`.execute(tx)
    if (await isInUse(tx)) throw inUse()
  } catch (error) {
    await tx?.rollback().execute()
    await close()
    throw error instanceof Error && 'code' in error && error.code === '55P03' ? inUse(error) : error
  }
  const locked = tx
  return {
    db: locked,
    engine: postgresEngine,
    commit: (work) => work(),
    listTables: () => listTables(locked),
    scan: (table, options) => scanIn(locked, table, options),
    deleteBefore: (table, column, end) => deleteBefore(locked, table, column, end),
    async close() {
      await locked.rollback().execute()
      await close()
    },
  }
}

function inUse(cause?: unknown): SvcError {
  const message = 'A server or another command works on the database. Stop all of them first; nothing was changed.'
  return new SvcError('conflict', message, { cause })
}

async function isInUse(tx: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select 1 from holders where beat_at > ${sql.raw(serverNowText)} - ${livingMs}) or exists (
      select 1 from pg_stat_activity
        where datname = current_database() and application_name = 'svc' and pid <> pg_backend_pid()) as used`.execute(
    tx,
  )
  return rows[0]?.used === true
}

async function beginReading(db: Kysely<Tables>): Promise<ControlledTransaction<Tables>> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').execute()
  // Batches wait for the work of the caller. A table is read in the order in which it is stored.
  await sql`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
    set local enable_seqscan = on; set local synchronize_seqscans = off`.execute(tx)
  return tx
}

/** Without partitions, which their table contains. */
async function listTables(db: Kysely<Tables>) {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped
      order by c.relname, a.attnum`.execute(db)
  return toUpkeepTables(rows)
}

/**
 * Deletes the rows of an hour in each transaction, which an index by time finds. The time until which a table is pruned is
 * kept: finding its oldest row reads the table.
 */
async function deleteBefore(db: Kysely<Tables>, table: string, column: string, end: number): Promise<number> {
  const name = `pruned ${table}`
  const known = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  let rows = 0
  for (let start = Number(known?.value ?? (await findOldest(db, table, column, end))); start < end; ) {
    const until = Math.min(end, start + sliceMs)
    const from = sql.ref(column)
    rows += await retryAfterConflict(() =>
      db.transaction().execute(async (tx) => {
        const { numAffectedRows } = await sql`delete from ${sql.table(table)}
          where ${from} >= ${start} and ${from} < ${until}`.execute(tx)
        const insert = tx.insertInto('settings').values({ name, value: String(until) })
        await insert.onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(until) })).execute()
        return Number(numAffectedRows)
      }),
    )
    start = until
  }
  return rows
}

async function findOldest(db: Kysely<Tables>, table: string, column: string, end: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0; set local enable_seqscan = on`.execute(tx)
    const select = sql<{ oldest: number | null }>`select min(${sql.ref(column)}) as oldest from ${sql.table(table)}`
    return (await select.execute(tx)).rows[0]?.oldest ?? end
  })
}

/** A position is the number of rows before it. */
async function* scanIn(
  tx: Kysely<Tables>,
  table: string,
  { after = 0, columns = sql`*`, where = sql<boolean>`true` }: ScanOptions = {},
) {
  await sql`declare scan no scroll cursor for select ${columns} from ${sql.table(table)} where ${where}`.execute(tx)
  if (after > 0) await sql`move forward ${sql.lit(after)} from scan`.execute(tx)
  try {
    for (let position = after; ; ) {
      const { rows } = await sql<ScannedRow>`fetch ${sql.lit(rowsPerBatch)} from scan`.execute(tx)
      if (rows.length === 0) return
      position += rows.length
      yield { rows, position }
    }
  } finally {
    // A transaction that failed has closed it.
    await sql`close scan`.execute(tx).catch(() => {})
  }
}
