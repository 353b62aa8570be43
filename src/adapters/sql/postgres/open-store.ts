import { CompiledQuery, type Insertable, type Kysely, sql } from 'kysely'
import { SvcError } from '../../../errors.js'
import type { LogLine } from '../../../ports/log-lines.js'
import type { Store } from '../../../ports/store.js'
import type { Reader } from '../database.js'
import { createLogLineStore, findLogRange, type LogTable } from '../log-lines.js'
import { createMovableClock, requireMayMove } from '../movable-clock.js'
import { createSqlStore } from '../sql-store.js'
import type { Tables } from '../tables.js'
import { sumDays } from '../usage-days.js'
import { answerMsAtMost, connect } from './connection.js'
import { postgresEngine } from './engine.js'
import { isCommitUnknown, retryAfterConflict } from './failures.js'
import { type Beat, createHolders, readBeatText, type TakeBeat } from './holders.js'
import { createHotQueries } from './hot-queries.js'
import { migratePostgres } from './migrate.js'
import { describeMissingLimits, findMissingLimits } from './session-limits.js'

export interface PostgresOptions {
  /** The maximum number of connections, besides one for the heartbeat. */
  readonly connections?: number
  /** URL of the same database without a pooler, for migrations. */
  readonly directUrl?: string
  /** The time without a sign of life after which other processes take over the work of one. */
  readonly holderGoneMs?: number
  /** The maximum waits for the response to a statement, and to a heartbeat. */
  readonly answerMs?: { readonly main: number; readonly heartbeat: number }
  /** True if each connection is of one session of the server; by default it is found out. */
  readonly namedStatements?: boolean
  /** Receives a sentence for the operator about the setup of the database. */
  readonly report?: ((message: string) => void) | undefined
  /** True if tests may move the clock. */
  readonly mayMoveClock?: boolean
  /** The option of commands that finds the service, such as `--data-dir .svc`. Messages name it. */
  readonly storage?: string
}

/**
 * Opens and migrates the database at a URL. Throws `unavailable` if it cannot be reached, and `invalid_request` if it orders
 * text by a language.
 */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { connections = 8, directUrl = url, holderGoneMs, namedStatements, mayMoveClock = true, storage = '' } = options
  const { answerMs = { main: answerMsAtMost, heartbeat: 3000 } } = options
  const serverClock = createDatabaseClock()
  const clock = createMovableClock(serverClock.now, mayMoveClock)
  const main = connect(url, connections, { offsetMs: clock.offsetMs, answerMs: answerMs.main })
  const heartbeat = connect(url, 1, { answerMs: answerMs.heartbeat })
  const { db, run } = main
  const takeBeat: TakeBeat = (beat, sentAt) => {
    if (beat === undefined) return
    serverClock.adjust(beat.now, sentAt)
    clock.follow(beat.clock_offset, sentAt)
  }
  try {
    await retryAfterConflict(async () => {
      await requireByteOrder(db)
      await migratePostgres(db, directUrl)
      const sentAt = performance.now()
      const [beat] = await run<Beat>(readBeatText, [])
      requireMayMove(clock, beat?.clock_offset, storage)
      takeBeat(beat, sentAt)
    })
    const missing = main.isPooled() ? await findMissingLimits(db) : []
    if (missing.length > 0) options.report?.(describeMissingLimits(missing))
    if (namedStatements ?? !main.isPooled()) for (const each of [main, heartbeat]) each.nameStatements()
  } catch (error) {
    await main.close()
    throw error
  }
  const holders = createHolders(heartbeat.run, takeBeat, holderGoneMs)
  return createSqlStore({
    db,
    hotQueries: createHotQueries(db),
    engine: postgresEngine,
    clock,
    commit: retryAfterConflict,
    isCommitUnknown,
    // PostgreSQL syncs before a commit returns.
    flush: async () => {},
    syncSoon: async () => {},
    holders,
    reader: createReader(db),
    logLines: createLogLineStore(db, retryAfterConflict, createLogTable(db)),
    // A clock that tests set back would hide calls in days that are summed already.
    ...(!mayMoveClock && { sumDays: () => sumDays(db, postgresEngine, retryAfterConflict, clock.now()) }),
    onGroupWritten() {},
    measurePool: main.measure,
    async close() {
      await holders.close().catch(() => {})
      await heartbeat.close()
      await main.close()
    },
  })
}

/**
 * Ranges of IDs and pages of lists are by bytes, as on SQLite. With ICU, a database orders by a language even if
 * `datcollate` is C. The columns differ between versions of PostgreSQL.
 */
export async function requireByteOrder(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ order: string; encoding: string }>`
    select pg_encoding_to_char(encoding) as encoding, case settings ->> 'datlocprovider'
        when 'i' then 'ICU ' || coalesce(settings ->> 'datlocale', settings ->> 'daticulocale', '')
        when 'b' then settings ->> 'datlocale'
        else datcollate
      end as order
    from pg_database databases, to_jsonb(databases) settings where datname = current_database()`.execute(db)
  const { order = '', encoding = '' } = rows[0] ?? {}
  if (/^(C|POSIX|C\.UTF-?8|PG_UNICODE_FAST)$/i.test(order) && encoding === 'UTF8') return
  const create = "CREATE DATABASE svc TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
  // Without it, a new database has the provider of its template.
  const provider = order.startsWith('ICU ') ? ' LOCALE_PROVIDER libc' : ''
  throw new SvcError(
    'invalid_request',
    `The database has the encoding ${encoding} and orders text by ${order}; svc needs UTF8 and C. Create one with: ${create}${provider}`,
  )
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
            // Reports read most of a table.
            await sql`select set_config('enable_seqscan', 'on', true)`.execute(tx)
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

/** A sample that took longer is too vague, unless it is the first. */
const roundTripMsAtMost = 1000

/**
 * Creates a clock with the database's time, on which processes agree whose own clocks differ. It counts on from the last sample by
 * a monotonic clock.
 */
export function createDatabaseClock(elapsed: () => number = () => performance.now()) {
  let offset: number | undefined
  return {
    now: () => Math.floor(elapsed() + (offset ?? Date.now() - elapsed())),
    /** Adjusts the clock by the database's time that a query returned, which was sent at `sentAt` on the monotonic clock. */
    adjust(databaseNow: number, sentAt: number): void {
      const receivedAt = elapsed()
      if (offset !== undefined && receivedAt - sentAt > roundTripMsAtMost) return
      offset = databaseNow - (sentAt + receivedAt) / 2
    },
  }
}

/** A line is that much older than the newest one, at most. */
const ageMsAtMost = 30 * 86_400_000

/** The table of the request log, to which the processes of several machines write. */
function createLogTable(db: Kysely<Tables>): LogTable {
  return {
    async append(lines) {
      await db.transaction().execute(async (tx) => {
        // Without turns, a line could appear after one with a greater ID, and its readers would have gone on.
        await postgresEngine.takeTurn(tx, 'request log')
        await tx
          .insertInto('log_lines')
          .values(lines.map(toRow))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      })
    },
    async findLogExcess(linesAtMost) {
      const { first, last } = await findLogRange(db)
      const oldestKept = await db
        .selectFrom('log_lines')
        .select('id')
        .where('at', '>=', (lines) =>
          lines
            .selectFrom('log_lines')
            .select((line) => line('at', '-', ageMsAtMost).as('oldest'))
            .orderBy('id', 'desc')
            .limit(1),
        )
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return { first, last: Math.max(last - linesAtMost, (oldestKept?.id ?? first) - 1) }
    },
    async delete({ first, last }) {
      await db.deleteFrom('log_lines').where('id', '>=', first).where('id', '<=', last).execute()
    },
  }
}

function toRow({ instance, number, text }: LogLine): Insertable<Tables['log_lines']> {
  const { time, request_id = null, caller_request_id = null, trace_id = null, status = null } = JSON.parse(text)
  const searched = { at: Date.parse(time), request_id, caller_request_id, trace_id, status }
  return { instance, line_number: number, line: text, ...searched }
}
