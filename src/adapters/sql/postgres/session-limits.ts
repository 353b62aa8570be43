import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.js'

/** A statement of this program takes milliseconds, a report seconds. */
export const statementMsAtMost = 30_000

/**
 * The settings of each session. A statement waits 5 s for a row that another transaction has locked, and a process that is
 * stopped in a transaction holds its locks for 10 s. Statements find a few rows by an index: a plan that was made while a
 * table was small must not read all of it later, and none depends on the values, since planning takes longer than running.
 */
const limits = {
  ...{ statement_timeout: String(statementMsAtMost), lock_timeout: '5000' },
  ...{ idle_in_transaction_session_timeout: '10000' },
  ...{ enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan', jit: 'off' },
} as const

const rows = Object.entries(limits)
  .map(([name, value]) => `('${name}', '${value}')`)
  .join(', ')

/**
 * Returns a statement that sets the limits of a session, if it is that of the process with this number. A pooler tells its
 * clients another number: its sessions are shared, and a setting would stay with one of them. Returns the number of rows.
 */
export function limitSession(processId: number): string {
  return `select set_config(name, value, false) from (values ${rows}) as limits (name, value)
    where pg_backend_pid() = ${processId}`
}

/** Returns the limits that the sessions of a pooler lack. A limit of time may have another value. */
export async function findMissingLimits(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in (${sql.join(Object.keys(limits))}) order by name`.execute(db)
  return rows.flatMap(({ name, setting }) => {
    const isSet = name.endsWith('_timeout') ? setting !== '0' : setting === limits[name as keyof typeof limits]
    return isSet ? [] : [name]
  })
}

/** The sentence for an operator whose pooler sets no limits. */
export function describeMissingLimits(names: readonly string[]): string {
  const settings = Object.entries(limits).map(([name, value]) => `set ${name}=${value}`)
  return (
    `The sessions of the pooler lack ${names.join(', ')}: statements may wait without end, or read whole tables. ` +
    `Add to its database: connect_query='${settings.join('; ')}'`
  )
}
