import { type ControlledTransaction, type Kysely, type RawBuilder, sql } from 'kysely'
import { SvcError } from '../../../errors.js'
import { codeOf } from '../../../runtime/reason.js'
import type { Tables } from '../tables.js'
import {
  rowsPerBatch,
  rowsPerDelete,
  type ScannedRow,
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
    async *scan(table, columns) {
      const tx = await retryAfterConflict(() => beginReading(db))
      try {
        yield* scanIn(tx, table, columns)
      } finally {
        await tx.rollback().execute()
      }
    },
    ...createSearches(db),
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
    throw codeOf(error) === '55P03' ? inUse(error) : error
  }
  const locked = tx
  return {
    db: locked,
    engine: postgresEngine,
    commit: (work) => work(),
    listTables: () => listTables(locked),
    scan: (table, columns) => scanIn(locked, table, columns),
    ...createSearches(locked),
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

/** Searches in tables without an index for the condition, which takes longer than a call may. */
function createSearches(db: Kysely<Tables>): Pick<UpkeepDatabase, 'deleteBefore' | 'selectWhere' | 'changeWhere'> {
  const search = <Row>(statement: RawBuilder<Row>) =>
    retryAfterConflict(() =>
      db.transaction().execute(async (tx) => {
        await sql`select set_config('statement_timeout', '0', true), set_config('enable_seqscan', 'on', true)`.execute(
          tx,
        )
        return statement.execute(tx)
      }),
    )
  return {
    async selectWhere<Row>(table: string, columns: RawBuilder<unknown>, condition: RawBuilder<unknown>) {
      return (await search(sql<Row>`select ${columns} from ${sql.table(table)} where ${condition}`)).rows
    },
    async changeWhere(table, condition, change) {
      let rows = 0
      const end = await countPages(db, table)
      for (let page = 0; page < end; page += pagesPerChange) {
        const first = (number: number) => sql`cast(${`(${number},0)`} as tid)`
        const part = sql`where ctid >= ${first(page)} and ctid < ${first(page + pagesPerChange)} and ${condition}`
        const count = sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)} ${part}`
        if (change === undefined) rows += Number((await search(count)).rows[0]?.rows)
        else rows += Number((await search(sql`${change} ${part}`)).numAffectedRows)
      }
      // An update moves its row to another page: that may be one that was read before.
      if (change !== undefined) rows += Number((await search(sql`${change} where ${condition}`)).numAffectedRows)
      return rows
    },
    deleteBefore: (table, column, end, dryRun) => (dryRun ? countBefore : deleteBefore)(db, table, column, end),
  }
}

/** About 50,000 rows of the smallest tables. */
const pagesPerChange = 500

async function countPages(db: Kysely<Tables>, table: string): Promise<number> {
  const size = sql<{ pages: number }>`
    select pg_relation_size(cast(${table} as regclass)) / current_setting('block_size')::int as pages`
  return (await retryAfterConflict(() => size.execute(db))).rows[0]?.pages ?? 0
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

/** Counts the rows of an hour at a time, which the index by time finds. */
async function countBefore(db: Kysely<Tables>, table: string, column: string, end: number): Promise<number> {
  const time = sql.ref(column)
  const read = async (value: RawBuilder<unknown>, from: number, until: number) => {
    const select = sql<{ value: number | null }>`select ${value} as value from ${sql.table(table)}
      where ${time} >= ${from} and ${time} < ${until}`
    return (await retryAfterConflict(() => select.execute(db))).rows[0]?.value ?? null
  }
  let rows = 0
  for (let from = 0; ; ) {
    const start = await read(sql`min(${time})`, from, end)
    if (start === null) return rows
    from = Math.min(end, Number(start) + sliceMs)
    rows += Number(await read(sql`count(*)`, Number(start), from))
  }
}

/** Each commit deletes the oldest rows, and begins after those of the commit before, whose index entries are still there. */
async function deleteBefore(db: Kysely<Tables>, table: string, column: string, end: number): Promise<number> {
  const [name, time] = [sql.table(table), sql.ref(column)]
  let rows = 0
  for (let start = 0; ; ) {
    const remove = sql<{ removed: number; last: number | null }>`
      with removed as (
        delete from ${name} where ctid = any (array(
          select ctid from ${name} where ${time} >= ${start} and ${time} < ${end} order by ${time} limit ${rowsPerDelete}
        )) returning ${time} as time
      ) select count(*) as removed, max(time) as last from removed`
    const { removed = 0, last = null } = (await retryAfterConflict(() => remove.execute(db))).rows[0] ?? {}
    rows += Number(removed)
    if (last === null) return rows
    start = Number(last)
  }
}

async function* scanIn(tx: Kysely<Tables>, table: string, columns: RawBuilder<unknown> = sql`*`) {
  await sql`declare scan no scroll cursor for select ${columns} from ${sql.table(table)}`.execute(tx)
  try {
    for (;;) {
      const { rows } = await sql<ScannedRow>`fetch ${sql.lit(rowsPerBatch)} from scan`.execute(tx)
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    // A transaction that failed has closed it.
    await sql`close scan`.execute(tx).catch(() => {})
  }
}
