import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool } from 'pg'
import type { Attempt } from '../../src/adapters/sql/attempt.js'
import type { Direct } from '../../src/adapters/sql/direct.js'
import type { Engine } from '../../src/adapters/sql/engine.js'
import type { Holders } from '../../src/adapters/sql/holders.js'
import type { Reader } from '../../src/adapters/sql/reader.js'
import { createSqlStore, migrate } from '../../src/adapters/sql/sql-store.js'
import type { Tables } from '../../src/adapters/sql/tables.js'
import { selectTask } from '../../src/adapters/sql/task-row.js'
import type { Store } from '../../src/ports.js'
import { types } from './postgres.js'

/** What advisory locks are for: their first number. */
const locks = { holder: 1, turn: 2 }

/** At `read committed`: each statement sees what was committed before it, so also what was while it waited for its turn. */
export const postgresEngine: Engine = {
  // The time of the statement: within one it stays the same, so that an index can be used.
  now: sql<number>`cast(floor(extract(epoch from statement_timestamp()) * 1000) as bigint)`,
  lockRows: sql`for update`,
  lockFreeRows: sql`for update skip locked`,
  async takeTurn(tx, name) {
    await sql`select pg_advisory_xact_lock(${sql.lit(locks.turn)}, hashtext(${name}))`.execute(tx)
  },
}

const attemptsAtMost = 20

/** Again where two transactions waited for each other: PostgreSQL ends one of them. */
const attempt: Attempt = async (work) => {
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

/** The store on PostgreSQL: the program's own code but for what an engine brings. */
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
    direct: createDirect(db),
    engine: postgresEngine,
    attempt,
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
  // Of a connection that nobody uses: whoever asks next gets a new one, or an error.
  pool.on('error', () => {})
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

function createDirect(db: Kysely<Tables>): Direct {
  return {
    findTask: (id) => selectTask(db, id).executeTakeFirst(),
    archive: (rows, endpoint) =>
      db.transaction().execute(async (tx) => {
        const booked = rows.map(({ request_id, key_id, user_hash, pet_hash, generated_at }) => ({
          ...{ request_id, key_id, endpoint, user_id: user_hash, pet_id: pet_hash, missing_id: 0 },
          created_at: generated_at,
        }))
        await tx.insertInto('insight_archive').values(rows).execute()
        await tx.insertInto('usage_entries').values(booked).execute()
      }),
  }
}

/** The server does not stand still while it reads. */
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
 * A holder is an advisory lock on a connection of its own: it ends with its process, on whichever machine that runs. `db` is for
 * this alone: a transaction asks for holders, and must not wait for a connection that others like it have taken.
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
    async findGone(ids) {
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
