import { statSync } from 'node:fs'
import { Database } from './driver.js'

/** By which the disk knows a file; no other one gets it while that is open. Undefined where there is no file. */
export function findFileNumber(file: string): bigint | undefined {
  return statSync(file, { throwIfNoEntry: false, bigint: true })?.ino
}

/**
 * Throws where another file lies there than when the number was taken. A connection that waited for its lock meanwhile has
 * the pages of the old file and, found by its name, the write-ahead log of the new one: what it writes would ruin that.
 */
export function requireSameFile(file: string, number: bigint | undefined): void {
  if (findFileNumber(file) === number) return
  throw new Database.SqliteError('the database was replaced', 'SQLITE_READONLY_DBMOVED')
}
