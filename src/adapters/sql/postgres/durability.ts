import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.js'

/** Settings with which PostgreSQL answers a commit before it is on disk, and the sentences for an operator. */
const faults = {
  fsync:
    'The server runs with fsync=off: a power cut can lose what was answered, or destroy the database. ' +
    'Set fsync=on in postgresql.conf, and reload it.',
  synchronous_commit:
    'The sessions have synchronous_commit=off: a power cut can lose what was answered in the last second. ' +
    'Set synchronous_commit=on for the role, the database or the server.',
} as const

/** Returns a sentence on each setting with which a commit is answered before it is on disk. */
export async function findDurabilityFaults(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: keyof typeof faults }>`
    select name from pg_settings where name in (${sql.join(Object.keys(faults))}) and setting = 'off' order by name`.execute(
    db,
  )
  return rows.map(({ name }) => faults[name])
}
