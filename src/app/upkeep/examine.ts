import { rmSync } from 'node:fs'
import { inspectDatabase } from '../../adapters/sql/upkeep/inspect.js'
import type { DataDir } from '../../data-dir.js'

/** What the database of a data directory says of itself. */
export interface Examined {
  /** What SQLite finds wrong in it. */
  readonly fault: string | undefined
  /** Why it cannot be read where it may well be whole: rights, the disk, the machine. */
  readonly obstacle: string | undefined
  /** Whether another process keeps it to itself, as a restore does. */
  readonly isHeld: boolean
  /** Whether a newer version of the program has been there. */
  readonly isNewer: boolean
  /** How many changes of its tables the next start makes. */
  readonly pendingChanges: number
  readonly newestAt: number
  readonly activeKeys: readonly string[]
}

/** Looks at the database, also while a server runs; nothing is changed. */
export function examineDatabase({ database: file }: DataDir, now: number): Examined {
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

/** Removes what this user may remove; answers what stays. */
export function removeAll(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    try {
      rmSync(path, { recursive: true, force: true })
      return false
    } catch {
      // The answer says which.
      return true
    }
  })
}
