import { chmodSync, closeSync, openSync } from 'node:fs'
import { Database } from '../sqlite/driver.js'

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
