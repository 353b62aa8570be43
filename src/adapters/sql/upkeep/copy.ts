import { chmodSync, closeSync, openSync } from 'node:fs'
import { Database } from '../driver.js'

/** How long to wait for a lock that another process has for a moment. */
export const lockWaitMs = 5000

/** Writes one state of a database that others may be writing to into a new file, for its owner alone. */
export function copyDatabase(file: string, target: string): void {
  closeSync(openSync(target, 'wx', 0o600))
  chmodSync(target, 0o600)
  const database = new Database(file, { fileMustExist: true, timeout: lockWaitMs })
  try {
    // Unlike SQLite's online backup it does not begin anew whenever somebody writes.
    database.prepare('vacuum into ?').run(target)
  } finally {
    database.close()
  }
}
