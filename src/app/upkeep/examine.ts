import { rmSync } from 'node:fs'
import { inspectDatabase } from '../../adapters/sql/upkeep/inspect.js'
import type { DataDir } from '../../runtime/data-dir.js'

/** The state of a data directory's database. */
export interface DatabaseExamination {
  /** The first defect that SQLite finds. */
  readonly fault: string | undefined
  /** The reason that the database cannot be read although it may be intact: permissions, the disk, the machine. */
  readonly obstacle: string | undefined
  /** True if another process has it locked, as a restore does. */
  readonly isHeld: boolean
  /** True if a newer version of the program has migrated it. */
  readonly isNewer: boolean
  /** The number of migrations that the next start runs. */
  readonly pendingChanges: number
  readonly newestAt: number
  readonly activeKeys: readonly string[]
}

/** Examines the database without changing it, even while a server runs. */
export function examineDatabase({ database: file }: DataDir, now: number): DatabaseExamination {
  try {
    const database = inspectDatabase(file, now)
    try {
      const { faults, unknownMigrations, pendingMigrations, newestAt, activeKeys } = database
      return {
        fault: faults[0],
        obstacle: undefined,
        isHeld: false,
        isNewer: unknownMigrations.length > 0,
        pendingChanges: pendingMigrations.length,
        newestAt,
        activeKeys,
      }
    } finally {
      database.close()
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = String((error as { code?: unknown }).code)
    const isHeld = code.startsWith('SQLITE_BUSY')
    const isDamaged = /^SQLITE_(CORRUPT|NOTADB)/.test(code)
    return {
      fault: isDamaged ? message : undefined,
      obstacle: isDamaged || isHeld ? undefined : message,
      isHeld,
      isNewer: false,
      pendingChanges: 0,
      newestAt: 0,
      activeKeys: [],
    }
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
