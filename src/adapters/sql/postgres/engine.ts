import { sql } from 'kysely'
import type { Engine } from '../engine.js'

/** The first number of the advisory locks of this program: PostgreSQL has one space of numbers for all programs. */
const turnLocks = 7_385_442

/** At `read committed`: each statement sees all earlier commits, including those made while it waited for its turn. */
export const postgresEngine: Engine = {
  // Constant within a statement, so an index can be used.
  now: sql<number>`cast(floor(extract(epoch from statement_timestamp()) * 1000) as bigint)`,
  lockRows: sql`for update`,
  lockFreeRows: sql`for update skip locked`,
  // A lock of the transaction: a pooler may give the next transaction another session.
  async takeTurn(tx, name) {
    await sql`select pg_advisory_xact_lock(${sql.lit(turnLocks)}, hashtext(${name}))`.execute(tx)
  },
}
