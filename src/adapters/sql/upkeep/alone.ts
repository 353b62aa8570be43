import { existsSync, readdirSync } from 'node:fs'
import Database from 'better-sqlite3'
import { createHolders } from '../holders.js'

/** Work on a database that nobody else may open meanwhile. */
export interface Hold {
  release(): void
}

/**
 * Holds the database file against all other processes; answers undefined where another has it open, or works in `holders`.
 * Of a file that is damaged only the latter can be told.
 */
export function holdAlone(file: string, holders: string): Hold | undefined {
  if (!existsSync(file)) return holdNothing(holders)
  const database = new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    // An open connection of another process keeps SQLite from leaving the write-ahead log.
    database.pragma('locking_mode = exclusive')
    database.pragma('journal_mode = delete')
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    if (isDamaged(error)) return holdNothing(holders)
    throw error
  }
  return {
    release() {
      database.close()
    },
  }
}

function holdNothing(holders: string): Hold | undefined {
  const ids = existsSync(holders) ? readdirSync(holders) : []
  const isInUse = createHolders(holders).findGone(ids).length < ids.length
  return isInUse ? undefined : { release() {} }
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
