import { statSync } from 'node:fs'
import type BetterSqlite3 from 'better-sqlite3'
import { type Connection, Database } from './driver.js'

/** Returns the inode number of a file, which no other file gets while it is open; undefined if the file does not exist. */
export function findFileNumber(file: string): bigint | undefined {
  return statSync(file, { throwIfNoEntry: false, bigint: true })?.ino
}

/**
 * Opens a database file. Throws if it was replaced since its number was read. A connection that waited for a lock meanwhile has
 * the pages of the old file and the write-ahead log of the new one, which is found by name: its writes would corrupt the new file.
 */
export function openSameFile(
  file: string,
  { number = findFileNumber(file), ...options }: BetterSqlite3.Options & { readonly number?: bigint | undefined },
  setUp: (database: Connection) => void = () => {},
): Connection {
  const database = new Database(file, options)
  try {
    setUp(database)
    // After the first read, the connection's lock prevents others from replacing the file.
    database.pragma('schema_version')
    if (findFileNumber(file) === number) return database
    throw new Database.SqliteError('the database was replaced', 'SQLITE_READONLY_DBMOVED')
  } catch (error) {
    database.close()
    throw error
  }
}
