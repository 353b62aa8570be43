import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { createHolders } from '../holders.js'

/** Work on a database that nobody else may open meanwhile. */
export interface Hold {
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
  if (!existsSync(dirname(file))) return holdNothing(holders)
  if (!existsSync(file)) {
    // A server goes on with a database that was deleted under it.
    if (isInUse(holders)) return undefined
    closeSync(openSync(file, 'a', 0o600))
  }
  const number = findNumber(file)
  const database = new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    // An open connection of another process keeps SQLite from leaving the write-ahead log.
    database.pragma('locking_mode = exclusive')
    database.pragma('journal_mode = delete')
    // Nothing is written, so there need be no journal beside the file, nor one to be deleted beside another in its place.
    database.pragma('journal_mode = memory')
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    if (isDamaged(error)) return holdNothing(holders)
    throw error
  }
  const isStanding = () => number !== undefined && findNumber(file) === number
  const release = () => {
    // Still locked: nobody can have begun to use one that is empty.
    if (isStanding() && statSync(file).size === 0) rmSync(file)
    database.close()
  }
  // Another command may have replaced it before it was locked.
  if (isStanding()) return { isStanding, release }
  release()
  return undefined
}

/** By which the disk knows a file; no other one gets it while that is open. */
function findNumber(file: string): bigint | undefined {
  return statSync(file, { throwIfNoEntry: false, bigint: true })?.ino
}

function holdNothing(holders: string): Hold | undefined {
  return isInUse(holders) ? undefined : { isStanding: () => !isInUse(holders), release() {} }
}

function isInUse(holders: string): boolean {
  const ids = existsSync(holders) ? readdirSync(holders) : []
  return createHolders(holders).findGone(ids).length < ids.length
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
