import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool } from 'pg'
import type { Engine } from '../../src/adapters/sql/engine.js'
import type { Holders } from '../../src/adapters/sql/holders.js'
import { createSqlStore, migrate } from '../../src/adapters/sql/sql-store.js'
import type { HotQueries } from '../../src/adapters/sql/sqlite/hot-queries.js'
import type { Reader } from '../../src/adapters/sql/sqlite/reader.js'
import type { RetryWhileBusy } from '../../src/adapters/sql/sqlite/retry-while-busy.js'
import type { Tables } from '../../src/adapters/sql/tables.js'
import { selectTask } from '../../src/adapters/sql/task-row.js'
import type { Store } from '../../src/ports/store.js'
import { types } from './postgres.js'

/** The uses of advisory locks: their first number. */
const locks = { holder: 1, turn: 2 }

/** At `read committed`: each statement sees all earlier commits, including those made while it waited for its turn. */
export const postgresEngine: Engine = {
  // Constant within a statement, so an index can be used.
  now: sql<number>`cast(floor(extract(epoch from statement_timestamp()) * 1000) as bigint)`,
  lockRows: sql`for update`,
  lockFreeRows: sql`for update skip locked`,
  async takeTurn(tx, name) {
    await sql`select pg_advisory_xact_lock(${sql.lit(locks.turn)}, hashtext(${name}))`.execute(tx)
  },
}

const attemptsAtMost = 20

/** Retries after a deadlock: PostgreSQL aborts one of the transactions. */
const retryWhileBusy: RetryWhileBusy = async (work) => {
  for (let count = 1; ; count++) {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!/^40(001|P01)$/.test(code) || count === attemptsAtMost) throw error
    }
    await delay(count)
  }
}

/** Opens the store on PostgreSQL: the program's own code except the parts of an engine. */
export async function openPostgresStore(address: string): Promise<Store> {
  const db = connect(address)
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  const probe = connect(address, 1)
  const holders = createHolders(probe, address)
  return createSqlStore({
    db,
    hotQueries: createHotQueries(db),
    engine: postgresEngine,
    retryWhileBusy,
    // PostgreSQL syncs before a commit returns.
    flush: async () => {},
    holders,
    reader: createReader(db),
    onGroupWritten() {},
    async close() {
      await holders.close()
      await probe.destroy()
      await db.destroy()
    },
  })
}

export function connect(address: string, connections = 8): Kysely<Tables> {
  const pool = new Pool({ connectionString: address, types, max: connections })
  // An error of an idle connection: the next query gets a new connection, or an error.
  pool.on('error', () => {})
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

function createHotQueries(db: Kysely<Tables>): HotQueries {
  return {
    findTask: (id) => selectTask(db, id).executeTakeFirst(),
    archive: (rows, endpoint) =>
      db.transaction().execute(async (tx) => {
        const booked = rows.map(({ request_id, call_id, key_id, user_hash, pet_hash, generated_at }) => ({
          ...{ request_id, call_id, key_id, endpoint, user_id: user_hash, pet_id: pet_hash, missing_id: 0 },
          created_at: generated_at,
        }))
        await tx.insertInto('insight_archive').values(rows).execute()
        await tx.insertInto('usage_entries').values(booked).execute()
      }),
  }
}

/** Runs queries without a thread, since they do not block this process. */
function createReader(db: Kysely<Tables>): Reader {
  return {
    read: (queries) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => {
          const results: unknown[][] = []
          for (const { sql, parameters } of queries) {
            results.push((await tx.executeQuery(CompiledQuery.raw(sql, [...parameters]))).rows)
          }
          return results
        }),
    close: async () => {},
  }
}

/**
 * A holder is an advisory lock on its own connection: it ends with its process, on any machine. `db` is for holders only: a
 * transaction queries holders, and must not wait for a connection that other transactions have taken.
 */
function createHolders(db: Kysely<Tables>, address: string): Holders {
  const own = new Map<string, Client>()
  const held = sql`select objid from pg_locks where locktype = 'advisory' and classid = ${sql.lit(locks.holder)}
    and objsubid = 2 and database = (select oid from pg_database where datname = current_database())`

  async function closeOne(id: string): Promise<void> {
    const client = own.get(id)
    if (own.delete(id)) await client?.end()
  }

  return {
    async open() {
      const id = `worker_${randomUUID()}`
      const client = new Client({ connectionString: address })
      await client.connect()
      await client.query(`select pg_advisory_lock(${locks.holder}, hashtext($1))`, [id])
      own.set(id, client)
      return { id, close: () => closeOne(id) }
    },
    async findAbandoned(ids) {
      const { rows } = await sql<{ id: string }>`
        select id from unnest(cast(${ids} as text[])) as id where cast(hashtext(id) as oid) not in (${held})`.execute(
        db,
      )
      return rows.map(({ id }) => id)
    },
    async hasOthers() {
      const { rows } = await sql`${held} and objid not in
        (select cast(hashtext(id) as oid) from unnest(cast(${[...own.keys()]} as text[])) as id)`.execute(db)
      return rows.length > 0
    },
    async close() {
      for (const id of own.keys()) await closeOne(id)
    },
  }
}
