import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.js'

/** The differences between the engines within statements. */
export interface Engine {
  /** The time of the service in epoch milliseconds. Read for each statement: a built one would keep an earlier time. */
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
  /** Takes a turn like `takeTurn`, or returns false if another transaction has it. */
  tryTurn(tx: Transaction<Tables>, name: string): Promise<boolean>
}

/**
 * Creates the engine of SQLite, which has the time of this machine. A write transaction locks the whole database, so there is
 * nothing else to lock.
 */
export function createSqliteEngine(now: () => number): Engine {
  return {
    get now() {
      return sql<number>`cast(${now()} as integer)`
    },
    lockRows: sql``,
    lockFreeRows: sql``,
    async takeTurn() {},
    tryTurn: async () => true,
  }
}
