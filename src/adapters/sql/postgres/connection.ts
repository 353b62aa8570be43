import { Kysely, PostgresDialect } from 'kysely'
import { Pool, type PoolClient, types as pgTypes } from 'pg'
import type { PoolMeasure } from '../../../ports/store.js'
import type { Tables } from '../tables.js'
import { shiftNow } from './engine.js'
import { isBroken, isOutdatedPlan, isUnanswered, markUnsent } from './failures.js'
import { limitSession, statementMsAtMost } from './session-limits.js'

const connectMsAtMost = 5000
/** A network that swallows packets ends no connection: the kernel asks for a sign of life after this time without any. */
const silentMsAtMost = 10_000
/** The server ends a statement before. */
export const answerMsAtMost = statementMsAtMost + 5000

/** Runs one statement on any connection, in a transaction of its own. Returns its rows. */
export type RunStatement = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>

export interface ConnectOptions {
  /** Returns the offset of a test clock, which all statements use. */
  readonly offsetMs?: () => number
  /** The maximum wait for the response to a statement, after which its connection is given up. Unlimited by default. */
  readonly answerMs?: number
}

/** Connects to the database at a URL, on demand, with at most this many connections. */
export function connect(url: string, connections: number, options: ConnectOptions = {}) {
  const { offsetMs = () => 0, answerMs } = options
  let isPooled = false
  const pool = new Pool({
    connectionString: url,
    types,
    max: connections,
    application_name: 'svc',
    keepAlive: true,
    keepAliveInitialDelayMillis: silentMsAtMost,
    connectionTimeoutMillis: Math.min(connectMsAtMost, answerMs ?? connectMsAtMost),
    query_timeout: answerMs,
    async onConnect(client) {
      // The query that runs on the connection gets the error as well.
      client.on('error', () => {})
      // Not as parameters of the connection, which poolers refuse.
      const { processID = 0 } = client as PoolClient & { readonly processID?: number }
      isPooled = (await client.query(limitSession(processID))).rows.length === 0
    },
  })
  // An error of an idle connection: the next query gets a new connection, or an error.
  pool.on('error', () => {})
  const idle = watchIdle(pool)
  let names: ReturnType<typeof createStatementNames> | undefined
  const toQuery = (statement: string, values: readonly unknown[]) => {
    const text = shiftNow(statement, offsetMs())
    return { name: names?.nameOf(text), text, values: [...values] }
  }
  async function connectClient(): Promise<PoolClient> {
    for (;;) {
      const client = await pool.connect().catch(markUnsent)
      if (!client.connection.stream.destroyed) return client
      client.release(true)
    }
  }
  /** Resolves to a client that is not used again after it has lost its server. */
  async function open() {
    const client = await connectClient()
    let broken: Error | undefined
    function noteFailure(error: Error): never {
      // After a migration by a newer program, all statements are prepared again, and the work is retried.
      if (isOutdatedPlan(error)) names?.forget()
      if (isBroken(error)) broken = error
      // The idle connections lead through the same network. A destroyed one fails at once, instead of after the same time.
      if (isUnanswered(error)) for (const each of [client, ...idle]) each.connection.stream.destroy()
      throw error
    }
    return {
      query: (text: string, values: readonly unknown[]) => client.query(toQuery(text, values)).catch(noteFailure),
      release: () => client.release(broken),
    }
  }
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => {
          const { query, release } = await open()
          // Kysely's type is that of cursors too, which are not used.
          return { query: query as never, release }
        },
        end: () => pool.end(),
      },
    }),
  })
  return {
    db,
    async run<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
      const client = await open()
      try {
        return (await client.query(text, values)).rows
      } finally {
        client.release()
      }
    },
    /** Makes the server prepare each statement once per connection. Not through a pooler that shares connections. */
    nameStatements(): void {
      names ??= createStatementNames()
    },
    /** True if a pooler answers in place of the server. Known after the first connection. */
    isPooled: () => isPooled,
    measure: (): PoolMeasure => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close(): Promise<void> {
      await db.destroy()
      // Kysely ends the pool only if it has used it.
      if (!pool.ending) await pool.end()
    },
  }
}

/** Returns the clients of a pool that are not in use. */
function watchIdle(pool: Pool): ReadonlySet<PoolClient> {
  const idle = new Set<PoolClient>()
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('release', (_, client) => idle.add(client))
  pool.on('remove', (client) => idle.delete(client))
  return idle
}

/** Reads `bigint` as a number: times and sums stay below 2^53. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pgTypes.builtins.INT8 ? Number : pgTypes.getTypeParser(oid, format)) as typeof pgTypes.getTypeParser,
}

/** Lists of values make many texts, and the server keeps a named statement as long as its connection. */
const namesAtMost = 300

/** Names statements, which a connection prepares once. Transactions need no names: the server does not plan them. */
function createStatementNames() {
  const names = new Map<string, string>()
  let made = 0
  return {
    /** Returns the same name for the same text; undefined if there are too many. */
    nameOf(text: string): string | undefined {
      const known = names.get(text)
      if (known !== undefined || names.size >= namesAtMost || isPlain.test(text)) return known
      const name = `svc_${++made}`
      names.set(text, name)
      return name
    },
    /** Gives all texts new names. */
    forget: () => names.clear(),
  }
}

const isPlain = /^(begin|commit|rollback|start transaction)/
