import { rmSync } from 'node:fs'
import { type Inspection, inspectDatabase } from '../../adapters/sql/upkeep/inspect.js'
import type { DataDir } from '../../runtime/data-dir.js'

/** The state of a data directory's database. */
export interface DatabaseExamination {
  /** The first defect that SQLite finds. */
  readonly fault: string | undefined
  /** The reason that the database cannot be read although it may be intact: permissions, the disk, the machine. */
  readonly obstacle: string | undefined
  /** True if another process has it locked, as a restore does. */
  readonly isHeld: boolean
  /** True if a write was interrupted, by a power loss in the first start. The next start undoes and repeats it. */
  readonly isInterrupted: boolean
  /** True if a newer version of the program has changed it so that this one cannot use it. */
  readonly isNewer: boolean
  /** The number of migrations that the next start runs. */
  readonly pendingChanges: number
  readonly newestAt: number
  readonly clockOffsetMs: number
  readonly activeKeys: readonly string[]
  readonly activeFaults: number
}

/** Examines the database without changing it, even while a server runs. `now` is the time of this machine. */
export function examineDatabase({ database: file }: DataDir, now: number): DatabaseExamination {
  try {
    return withDatabase(file, ({ faults, isTooNew, pendingMigrations, newestAt, clockOffsetMs, ...database }) => ({
      fault: faults[0],
      obstacle: undefined,
      isHeld: false,
      isInterrupted: false,
      isNewer: isTooNew,
      pendingChanges: pendingMigrations.length,
      newestAt,
      clockOffsetMs,
      activeKeys: database.listActiveKeys(now + clockOffsetMs),
      activeFaults: database.countActiveFaults(now + clockOffsetMs),
    }))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = String((error as { code?: unknown }).code)
    const isHeld = code.startsWith('SQLITE_BUSY')
    const isInterrupted = code === 'SQLITE_READONLY_ROLLBACK'
    const isDamaged = /^SQLITE_(CORRUPT|NOTADB)/.test(code)
    return {
      fault: isDamaged ? message : undefined,
      obstacle: isDamaged || isHeld || isInterrupted ? undefined : message,
      isHeld,
      isInterrupted,
      isNewer: false,
      pendingChanges: 0,
      newestAt: 0,
      clockOffsetMs: 0,
      activeKeys: [],
      activeFaults: 0,
    }
  }
}

/** Inspects a database file and closes it. Throws the error of SQLite. */
export function withDatabase<T>(file: string, use: (database: Inspection) => T): T {
  const database = inspectDatabase(file)
  try {
    return use(database)
  } finally {
    database.close()
  }
}

/** Removes the paths as far as permissions allow. Returns those that remain. */
export function removeAll(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    try {
      rmSync(path, { recursive: true, force: true })
      return false
    } catch {
      // Reported by the result.
      return true
    }
  })
}
