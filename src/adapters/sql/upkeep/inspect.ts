import { chmodSync, closeSync, openSync } from 'node:fs'
import { codeOf } from '../../../runtime/reason.js'
import { toActiveFaultsText } from '../faults.js'
import { compareSteps } from '../migrate.js'
import { offsetText } from '../movable-clock.js'
import { Database } from '../sqlite/driver.js'

export type Inspection = ReturnType<typeof inspectDatabase>

const selectFloor = "select value from settings where name = 'schema_floor'"

/**
 * Examines a database file without changing it. `now` is the time of this machine, for fault rules that expire. Throws SQLite's
 * error if the file cannot be read.
 */
export function inspectDatabase(file: string, now = 0) {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: lockWaitMs })
  try {
    const column = <T>(sql: string) => database.prepare<[], T>(sql).pluck().all()
    const faults = column<string>('pragma quick_check').filter((line) => line !== 'ok')
    const tables = new Set(column<string>("select name from sqlite_master where type = 'table'"))
    const applied = tables.has('kysely_migration') ? column<string>('select name from kysely_migration') : []
    const [floor] = tables.has('settings') ? column<string>(selectFloor) : []
    const { pending, isTooNew } = compareSteps(applied, floor)
    const clockOffsetMs = tables.has('settings') ? Number(column<string>(offsetText)[0] ?? 0) : 0
    const selectActive = toActiveFaultsText(now + clockOffsetMs)
    const activeFaults = tables.has('faults') ? Number(column<number>(selectActive)[0]) : 0
    return {
      /** The defects that SQLite finds in the file. */
      faults,
      /** True if a newer version of the program has changed the file so that this one cannot use it. */
      isTooNew,
      pendingMigrations: pending,
      /** The offset of the service's clock. */
      clockOffsetMs,
      /** The number of the fault rules that may fire. */
      activeFaults,
    }
  } finally {
    database.close()
  }
}

/** True for the error of a file that is not an intact database. */
export const isDamage = (error: unknown) => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))

/** The maximum wait for a lock that another process holds briefly. */
export const lockWaitMs = 5000

/** Copies a snapshot of a database, which others may write to, into a new file, readable by its owner only. */
export function copyDatabase(file: string, target: string): void {
  closeSync(openSync(target, 'wx', 0o600))
  chmodSync(target, 0o600)
  const database = new Database(file, { fileMustExist: true, timeout: lockWaitMs })
  try {
    // Unlike SQLite's online backup, it does not restart after each write of another process.
    database.prepare('vacuum into ?').run(target)
  } finally {
    database.close()
  }
}
