import { isUnavailable } from '../../../errors.js'
import { findFileShortage } from '../../../runtime/reason.js'
import type { RunWork } from '../database.js'
import type { Connection } from './driver.js'

const refusals: readonly (readonly [RegExp, () => string])[] = [
  [/^SQLITE_FULL/, () => 'The disk is full'],
  [/^SQLITE_READONLY/, () => 'The database is read-only'],
  [
    /^SQLITE_(IOERR|CANTOPEN)/,
    () => `The database cannot be written (${findFileShortage() ?? 'the disk refuses to store it'})`,
  ],
]

export interface WriteGuard {
  /** Runs work on the database, and notes whether the disk refused to store it. */
  protect(run: RunWork): RunWork
  /** Throws the error of a write if the disk refused the last one, and still refuses. */
  requireDisk(): void
}

/** Guards against a disk that is full or read-only. Calls `report` each time it begins to refuse writes. */
export function createWriteGuard(database: Connection, report: (message: string) => void = () => {}): WriteGuard {
  let isRefused = false

  function note(error: unknown): void {
    const code = isUnavailable(error) && error instanceof Error ? codeOf(error.cause) : ''
    const reason = isRefused ? undefined : refusals.find(([codes]) => codes.test(code))?.[1]()
    if (reason === undefined) return
    isRefused = true
    report(`${reason}: requests that need it get status 503 until it can be written again.`)
  }

  return {
    protect: (run) => async (work) => {
      try {
        return await run(work)
      } catch (error) {
        note(error)
        throw error
      }
    },
    requireDisk() {
      if (!isRefused) return
      // Writes the first page again, unchanged.
      const version = database.pragma('user_version', { simple: true })
      database.pragma(`user_version = ${version}`)
      isRefused = false
    },
  }
}

const codeOf = (cause: unknown) => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')
