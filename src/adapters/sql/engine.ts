import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.js'

/** All in which the engines differ as far as statements see it. */
export interface Engine {
  /** The database's own time, epoch milliseconds: processes on several machines agree on it. */
  readonly now: RawBuilder<number>
  /** Behind a select: locks its rows until the transaction ends. */
  readonly lockRows: RawBuilder<unknown>
  /** The same, but leaves out rows that another transaction has locked. */
  readonly lockFreeRows: RawBuilder<unknown>
  /**
   * Lets transactions that name the same turn run one after the other, each from here to its end. It is for those that count
   * rows before they add one: a row that is not there yet cannot be locked. Comes before whatever else a transaction locks.
   */
  takeTurn(tx: Transaction<Tables>, name: string): Promise<void>
}

/** A transaction has the whole database to itself: there is nothing to lock. */
export const sqliteEngine: Engine = {
  now: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  lockRows: sql``,
  lockFreeRows: sql``,
  async takeTurn() {},
}
