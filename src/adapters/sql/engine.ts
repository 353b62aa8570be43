import { type RawBuilder, sql } from 'kysely'

/** All in which the engines differ as far as statements see it. */
export interface Engine {
  /** The database's own time, epoch milliseconds: processes on several machines agree on it. */
  readonly now: RawBuilder<number>
  /** Behind a select: locks its rows until the transaction ends. */
  readonly lockRows: RawBuilder<unknown>
  /** The same, but leaves out rows that another transaction has locked. */
  readonly lockFreeRows: RawBuilder<unknown>
}

/** A transaction has the whole database to itself: there is nothing to lock. */
export const sqliteEngine: Engine = {
  now: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  lockRows: sql``,
  lockFreeRows: sql``,
}
