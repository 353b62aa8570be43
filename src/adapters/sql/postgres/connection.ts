import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types as pgTypes } from 'pg'
import type { PoolMeasure } from '../../../ports/measures.js'
import type { Tables } from '../tables.js'

/** A statement of this program takes milliseconds, a report seconds. */
const statementMsAtMost = 30_000
/** The maximum wait for a row that another transaction has locked. */
const lockMsAtMost = 5000
/** A process that is stopped in a transaction must not hold its locks. */
const idleInTransactionMsAtMost = 10_000
const connectMsAtMost = 5000

/** Connects to the database at a URL, on demand, with at most this many connections. */
export function connect(url: string, connections: number): Kysely<Tables> {
  const pool = new Pool({
    connectionString: url,
    types,
    max: connections,
    application_name: 'svc',
    keepAlive: true,
    connectionTimeoutMillis: connectMsAtMost,
  })
  // An error of an idle connection: the next query gets a new connection, or an error.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    // The query that runs on the connection gets the error as well.
    client.on('error', () => {})
    // Not as parameters of the connection, which poolers refuse.
    client.query(setLimits).catch(() => {})
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

/** Kysely does not show the pool of its dialect. */
const pools = new WeakMap<Kysely<Tables>, Pool>()

export function measurePool(db: Kysely<Tables>): PoolMeasure | undefined {
  const pool = pools.get(db)
  return pool && { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

const setLimits = `set statement_timeout = ${statementMsAtMost}; set lock_timeout = ${lockMsAtMost};
  set idle_in_transaction_session_timeout = ${idleInTransactionMsAtMost}`

/** Reads `bigint` as a number: times and sums stay below 2^53. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pgTypes.builtins.INT8 ? Number : pgTypes.getTypeParser(oid, format)) as typeof pgTypes.getTypeParser,
}
