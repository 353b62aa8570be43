import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.js'

/** The differences between the engines within statements. */
export interface Engine {
  /** The database's time in epoch milliseconds, on which processes of several machines agree. */
  readonly now: RawBuilder<number>
  /** A suffix of a select that locks its rows until the transaction ends. */
  readonly lockRows: RawBuilder<unknown>
  /** The same, but skips rows that another transaction has locked. */
  readonly lockFreeRows: RawBuilder<unknown>
  /**
   * Serializes transactions that name the same turn, from this call to their end. For transactions that count rows before
   * they insert one: a row that does not exist yet cannot be locked. Must come before all other locks of a transaction.
   */
  takeTurn(tx: Transaction<Tables>, name: string): Promise<void>
}

/** On SQLite a write transaction locks the whole database, so there is nothing else to lock. */
export const sqliteEngine: Engine = {
  now: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  lockRows: sql``,
  lockFreeRows: sql``,
  async takeTurn() {},
}
