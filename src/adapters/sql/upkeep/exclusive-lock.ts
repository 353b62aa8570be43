import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '../../../runtime/reason.js'
import { type Connection, Database } from '../sqlite/driver.js'
import { findFileNumber } from '../sqlite/file-number.js'
import { removeIfAbandoned } from '../sqlite/holders.js'
import { isDamage } from './inspect.js'

/** An exclusive lock on a database: no other process can open it meanwhile. */
export interface ExclusiveLock {
  /** True if the database has no pages, and may as well not exist. */
  readonly isEmpty: boolean
  /** The connection with the lock: others of this process fail too. Undefined without a readable database. */
  readonly database?: Connection
  /** False after the locked file was replaced: others can open the new file. */
  isCurrent(): boolean
  release(): void
}

/**
 * Locks the database file against all other processes. Returns undefined if another process has it open, or has a holder in
 * `holders`. If the file does not exist, an empty one exists until the release. A damaged file cannot be locked: only the
 * holders are checked.
 */
export function lockExclusively(file: string, holders: string): ExclusiveLock | undefined {
  // No process can start in a folder that does not exist.
  if (!existsSync(dirname(file))) return lockNothing(holders, true)
  if (!existsSync(file)) {
    // A server keeps working on a database that was deleted meanwhile.
    if (isInUse(holders)) return undefined
    closeSync(openSync(file, 'a', 0o600))
  }
  const number = findFileNumber(file)
  const database = new Database(file, { fileMustExist: true, timeout: 0 })
  let isEmpty: boolean
  try {
    isEmpty = lock(database)
  } catch (error) {
    database.close()
    if (codeOf(error).startsWith('SQLITE_BUSY')) return undefined
    if (isDamage(error)) return lockNothing(holders, false)
    throw error
  }
  const isCurrent = () => findFileNumber(file) === number
  const release = () => {
    if (isEmpty && isCurrent()) rmSync(file)
    database.close()
  }
  // Another command may have replaced it before it was locked.
  if (isCurrent()) return { isEmpty, database, isCurrent, release }
  database.close()
  return undefined
}

/** Locks the database. Returns true if it is empty. */
function lock(database: Connection): boolean {
  // Fails as busy if another process has a connection, which prevents SQLite from leaving WAL mode.
  database.pragma('locking_mode = exclusive')
  database.pragma('journal_mode = delete')
  // Without a journal file: SQLite would delete it by name, when it may belong to another file.
  database.pragma('journal_mode = memory')
  database.exec('begin exclusive')
  // Left over from leaving WAL mode. A journal that was needed has been rolled back by now.
  rmSync(`${database.name}-journal`, { force: true })
  const isEmpty = Number(database.pragma('page_count', { simple: true })) <= 1
  // SQLite lets a process that waits for a file without pages write into the log of the file that replaced it.
  if (isEmpty) database.pragma('user_version = 0')
  database.exec('commit')
  database.exec('begin exclusive')
  return isEmpty
}

function lockNothing(holders: string, isEmpty: boolean): ExclusiveLock | undefined {
  return isInUse(holders) ? undefined : { isEmpty, isCurrent: () => !isInUse(holders), release() {} }
}

function isInUse(holders: string): boolean {
  const ids = existsSync(holders) ? readdirSync(holders) : []
  return ids.filter((id) => removeIfAbandoned(join(holders, id))).length < ids.length
}
