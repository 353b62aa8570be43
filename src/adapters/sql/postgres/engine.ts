import { sql } from 'kysely'
import type { Engine } from '../engine.js'

/** The first number of the advisory locks of this program: PostgreSQL has one space of numbers for all programs. */
const turnLocks = 7_385_442

/** The server's own time, which no test moves: processes renew their signs of life by it. Constant within a statement. */
export const serverNowText = 'cast(floor(extract(epoch from statement_timestamp()) * 1000) as bigint)'

const shiftedBy = (offsetMs: number) => `(${serverNowText} + ${offsetMs})`

/** The time of the service. Constant within a statement, so an index can be used. */
export const nowText = shiftedBy(0)

/** Moves `nowText` within a statement by the offset of a test clock. */
export function shiftNow(text: string, offsetMs: number): string {
  return offsetMs === 0 ? text : text.replaceAll(nowText, shiftedBy(offsetMs))
}

/** At `read committed`: each statement sees all earlier commits, including those made while it waited for its turn. */
export const postgresEngine: Engine = {
  now: sql<number>`${sql.raw(nowText)}`,
  lockRows: sql`for update`,
  lockFreeRows: sql`for update skip locked`,
  // A lock of the transaction: a pooler may give the next transaction another session.
  async takeTurn(tx, name) {
    await sql`select pg_advisory_xact_lock(${sql.lit(turnLocks)}, hashtext(${name}))`.execute(tx)
  },
  async tryTurn(tx, name) {
    const attempt = sql<{
      taken: boolean
    }>`select pg_try_advisory_xact_lock(${sql.lit(turnLocks)}, hashtext(${name})) as taken`
    return (await attempt.execute(tx)).rows[0]?.taken === true
  },
}
