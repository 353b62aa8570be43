import type { Kysely, RawBuilder } from 'kysely'
import type { RunWork } from '../database.js'
import type { Engine } from '../engine.js'
import type { Tables } from '../tables.js'

export type ScannedRow = Record<string, unknown>

/** A database opened for upkeep. Whole tables are read, including those that only later versions know. */
export interface UpkeepDatabase {
  readonly db: Kysely<Tables>
  readonly engine: Pick<Engine, 'takeTurn'>
  /** Retries a transaction that another one is in the way of. */
  readonly commit: RunWork
  /** Lists all tables with their text columns, without the list of migrations. */
  listTables(): Promise<readonly UpkeepTable[]>
  /**
   * Reads columns of a table in batches, by default all. There is no condition: a statement for the next rows that meet one may
   * read the rest of the table.
   */
  scan(table: string, columns?: RawBuilder<unknown>): AsyncGenerator<readonly ScannedRow[]>
  /**
   * Deletes the rows whose time is before `end`, in several commits, or only counts them. No statement reads more than a part of
   * the table. Returns the number of rows.
   */
  deleteBefore(table: string, column: string, end: number, dryRun: boolean): Promise<number>
  /** Returns the rows that meet a condition, which no index needs to know. */
  selectWhere<Row>(table: string, columns: RawBuilder<unknown>, condition: RawBuilder<unknown>): Promise<readonly Row[]>
  /**
   * Runs a statement that ends before its condition, such as `delete from TABLE`, on the rows that meet the condition; without one
   * counts them. No writer waits for long. Returns the number of rows.
   */
  changeWhere(table: string, condition: RawBuilder<unknown>, change?: RawBuilder<unknown>): Promise<number>
  close(): Promise<void>
}

export interface UpkeepTable {
  readonly name: string
  readonly textColumns: readonly string[]
}

/** The rows of a batch: their parameters fit a statement of either engine. */
export const rowsPerBatch = 500

/** The rows that one statement counts or deletes. Small, so that a running server does not wait long for a lock. */
export const rowsPerDelete = 5000

/** Groups the columns of tables. */
export function toUpkeepTables(
  rows: readonly { readonly table: string; readonly column: string; readonly type: string }[],
): UpkeepTable[] {
  const tables = new Map<string, string[]>()
  for (const { table, column, type } of rows) {
    const texts = tables.get(table) ?? []
    tables.set(table, texts)
    if (/^(text|varchar|character varying)/i.test(type)) texts.push(column)
  }
  return [...tables]
    .filter(([name]) => !/^(kysely_migration|sqlite_)/.test(name))
    .map(([name, textColumns]) => ({ name, textColumns }))
}
