import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Connection, Database } from '../driver.js'
import { findFileNumber } from '../file-number.js'
import { isGone } from '../holders.js'

/** Work on a database that nobody else may open meanwhile. */
export interface Hold {
  /** Whether there is nothing in the database, so that it may as well not be there. */
  readonly isEmpty: boolean
  /** False once the file that is held lies there no more: whoever opens the database now has another. */
  isStanding(): boolean
  release(): void
}

/**
 * Holds the database file against all other processes; answers undefined where another has it open, or works in `holders`.
 * Where there is none, an empty one is made for as long. Of a file that is damaged only the holders can be told.
 */
export function holdAlone(file: string, holders: string): Hold | undefined {
  // Nobody can begin to work in a folder that is not there.
  if (!existsSync(dirname(file))) return holdNothing(holders, true)
  if (!existsSync(file)) {
    // A server goes on with a database that was deleted under it.
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
    if (isBusy(error)) return undefined
    if (isDamaged(error)) return holdNothing(holders, false)
    throw error
  }
  const isStanding = () => findFileNumber(file) === number
  const release = () => {
    if (isEmpty && isStanding()) rmSync(file)
    database.close()
  }
  // Another command may have replaced it before it was locked.
  if (isStanding()) return { isEmpty, isStanding, release }
  database.close()
  return undefined
}

/** Answers whether the database is empty. */
function lock(database: Connection): boolean {
  // An open connection of another process keeps SQLite from leaving the write-ahead log.
  database.pragma('locking_mode = exclusive')
  database.pragma('journal_mode = delete')
  // No journal beside the file: it would be deleted by its name, when that of another file is there perhaps.
  database.pragma('journal_mode = memory')
  database.exec('begin exclusive')
  // What leaving the write-ahead log took; a journal that was needed has been played back by now.
  rmSync(`${database.name}-journal`, { force: true })
  const isEmpty = Number(database.pragma('page_count', { simple: true })) <= 1
  // SQLite lets whoever waits for a file without a page write into the log of the one that took its place.
  if (isEmpty) database.pragma('user_version = 0')
  database.exec('commit')
  database.exec('begin exclusive')
  return isEmpty
}

function holdNothing(holders: string, isEmpty: boolean): Hold | undefined {
  return isInUse(holders) ? undefined : { isEmpty, isStanding: () => !isInUse(holders), release() {} }
}

function isInUse(holders: string): boolean {
  const ids = existsSync(holders) ? readdirSync(holders) : []
  return ids.filter((id) => isGone(join(holders, id))).length < ids.length
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
