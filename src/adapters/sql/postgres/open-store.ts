import { CompiledQuery, type Kysely, sql } from 'kysely'
import { SvcError } from '../../../errors.js'
import type { Store } from '../../../ports/store.js'
import type { HotQueries, Reader } from '../database.js'
import { createSqlStore, migrate } from '../sql-store.js'
import type { Tables } from '../tables.js'
import { selectTask } from '../task-row.js'
import { connect, measurePool } from './connection.js'
import { postgresEngine } from './engine.js'
import { isCommitUnknown, retryAfterConflict } from './failures.js'
import { createHolders } from './holders.js'

export interface PostgresOptions {
  /** The maximum number of connections, besides one for the heartbeat. */
  readonly connections?: number
  /** The time without a sign of life after which other processes take over the work of one. */
  readonly holderGoneMs?: number
}

/**
 * Opens and migrates the database at a URL. Throws `unavailable` if it cannot be reached, and `invalid_request` if it orders
 * text by a language.
 */
export async function openPostgresStore(
  url: string,
  { connections = 8, holderGoneMs }: PostgresOptions = {},
): Promise<Store> {
  const db = connect(url, connections)
  try {
    await retryAfterConflict(async () => {
      await requireByteOrder(db)
      await migrate(db)
    })
  } catch (error) {
    await db.destroy()
    throw error
  }
  const heartbeat = connect(url, 1)
  const holders = createHolders(heartbeat, holderGoneMs)
  return createSqlStore({
    db,
    hotQueries: createHotQueries(db),
    engine: postgresEngine,
    retryWhileBusy: retryAfterConflict,
    isCommitUnknown,
    // PostgreSQL syncs before a commit returns.
    flush: async () => {},
    holders,
    reader: createReader(db),
    onGroupWritten() {},
    measurePool: () => measurePool(db),
    async close() {
      await holders.close().catch(() => {})
      await heartbeat.destroy()
      await db.destroy()
    },
  })
}

/** Ranges of IDs and pages of lists are by bytes, as on SQLite. */
async function requireByteOrder(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ order: string; encoding: string }>`
    select datcollate as order, pg_encoding_to_char(encoding) as encoding
    from pg_database where datname = current_database()`.execute(db)
  const { order = '', encoding = '' } = rows[0] ?? {}
  if (/^(C|POSIX|C\.UTF-?8)$/i.test(order) && encoding === 'UTF8') return
  const create = "CREATE DATABASE svc TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
  throw new SvcError(
    'invalid_request',
    `The database has the encoding ${encoding} and orders text by ${order}; svc needs UTF8 and C. Create one with: ${create}`,
  )
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
      retryAfterConflict(() =>
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
      ),
    close: async () => {},
  }
}
