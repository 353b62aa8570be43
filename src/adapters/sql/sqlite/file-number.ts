import { statSync } from 'node:fs'
import { Database } from './driver.js'

/** Returns the inode number of a file, which no other file gets while it is open; undefined if the file does not exist. */
export function findFileNumber(file: string): bigint | undefined {
  return statSync(file, { throwIfNoEntry: false, bigint: true })?.ino
}

/**
 * Throws if the file was replaced since its number was read. A connection that waited for a lock meanwhile has the pages of
 * the old file and the write-ahead log of the new one, which is found by name: its writes would corrupt the new file.
 */
export function requireSameFile(file: string, number: bigint | undefined): void {
  if (findFileNumber(file) === number) return
  throw new Database.SqliteError('the database was replaced', 'SQLITE_READONLY_DBMOVED')
}
