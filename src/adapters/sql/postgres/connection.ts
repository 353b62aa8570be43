import { Kysely } from 'kysely'
import { Pool, type PoolClient, types as pgTypes } from 'pg'
import type { PoolMeasure } from '../../../ports/measures.js'
import type { Tables } from '../tables.js'
import { LockingDialect } from './dialect.js'
import { shiftNow } from './engine.js'
import { isOutdatedPlan } from './failures.js'
import { createStatementNames, type StatementNames } from './statement-names.js'

/** A statement of this program takes milliseconds, a report seconds. */
const statementMsAtMost = 30_000
/** The maximum wait for a row that another transaction has locked. */
const lockMsAtMost = 5000
/** A process that is stopped in a transaction must not hold its locks. */
const idleInTransactionMsAtMost = 10_000
const connectMsAtMost = 5000

/** Runs one statement on any connection, in a transaction of its own. Returns its rows. */
export type Run = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>

export interface Connections {
  readonly db: Kysely<Tables>
  readonly run: Run
  /** Makes the server prepare each statement once per connection. Not through a pooler that shares connections. */
  nameStatements(): void
  /** True if a pooler answers in place of the server. */
  isPooled(): Promise<boolean>
  measure(): PoolMeasure
  close(): Promise<void>
}

/**
 * Connects to the database at a URL, on demand, with at most this many connections. `offsetMs` returns the offset of a test
 * clock, which all statements use.
 */
export function connect(url: string, connections: number, offsetMs: () => number = () => 0): Connections {
  const pool = new Pool({
    connectionString: url,
    types,
    max: connections,
    application_name: 'svc',
    keepAlive: true,
    connectionTimeoutMillis: connectMsAtMost,
    async onConnect(client) {
      // The query that runs on the connection gets the error as well.
      client.on('error', () => {})
      // Not as parameters of the connection, which poolers refuse.
      await client.query(setLimits)
    },
  })
  // An error of an idle connection: the next query gets a new connection, or an error.
  pool.on('error', () => {})
  let names: StatementNames | undefined
  const toQuery = (statement: string, values: readonly unknown[]) => {
    const text = shiftNow(statement, offsetMs())
    return { name: names?.nameOf(text), text, values: [...values] }
  }
  /** After a migration by a newer program, all statements are prepared again, and the work is retried. */
  function forgetOutdated(error: unknown): never {
    if (isOutdatedPlan(error)) names?.forget()
    throw error
  }
  const db = new Kysely<Tables>({
    dialect: new LockingDialect({
      pool: {
        connect: async () => {
          const client = await pool.connect()
          // Kysely's type is that of cursors too, which are not used.
          const query = (text: string, values: readonly unknown[]) =>
            client.query(toQuery(text, values)).catch(forgetOutdated)
          return { query: query as never, release: () => client.release() }
        },
        end: () => pool.end(),
      },
    }),
  })
  return {
    db,
    run: async (text, values) => (await pool.query(toQuery(text, values)).catch(forgetOutdated)).rows,
    nameStatements() {
      names ??= createStatementNames()
    },
    async isPooled() {
      const client = await pool.connect()
      try {
        const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id')
        // A pooler tells its clients another number, for cancelling.
        return rows[0]?.id !== (client as PoolClient & { readonly processID?: number }).processID
      } finally {
        client.release()
      }
    },
    measure: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await db.destroy()
      // Kysely ends the pool only if it has used it.
      if (!pool.ending) await pool.end()
    },
  }
}

/**
 * Statements find a few rows by an index. A plan that was made while a table was small must not read all of it later, and
 * no plan depends on the values: planning takes longer than running.
 */
const setLimits = `set statement_timeout = ${statementMsAtMost}; set lock_timeout = ${lockMsAtMost};
  set idle_in_transaction_session_timeout = ${idleInTransactionMsAtMost};
  set enable_seqscan = off; set plan_cache_mode = force_generic_plan; set jit = off`

/** Reads `bigint` as a number: times and sums stay below 2^53. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pgTypes.builtins.INT8 ? Number : pgTypes.getTypeParser(oid, format)) as typeof pgTypes.getTypeParser,
}
