import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Holders } from '../database.js'
import { type Connection, Database } from './driver.js'

/** A holder may be about to lock a file younger than this. */
const settledMs = 10_000

/** Keeps connections from being garbage collected: that would end their locks, and others would take over running units. */
const locks = new Set<Connection>()

/**
 * A holder is a file in `folder` with a lock of the operating system, which ends with the process, even by a crash. Unlike a
 * process ID, it cannot be confused with a later process or another container. SQLite takes the lock.
 */
export function createHolders(folder: string): Holders {
  const own = new Map<string, Connection>()

  function findAbandoned(ids: readonly string[]): string[] {
    return ids.filter((id) => !own.has(id) && removeIfAbandoned(join(folder, id)))
  }

  function deleteAbandonedFiles(): void {
    for (const id of readdirSync(folder)) {
      const age = Date.now() - (statSync(join(folder, id), { throwIfNoEntry: false })?.mtimeMs ?? 0)
      if (age > settledMs) findAbandoned([id])
    }
  }

  function closeOne(id: string): void {
    const lock = own.get(id)
    if (lock === undefined) return
    lock.close()
    locks.delete(lock)
    own.delete(id)
    rmSync(join(folder, id), { force: true })
  }

  return {
    findAbandoned: async (ids) => findAbandoned(ids),
    hasOthers: async () =>
      existsSync(folder) && readdirSync(folder).some((id) => !own.has(id) && isHeld(join(folder, id))),
    // The processes of a folder have the same file of models, unless they are told otherwise.
    countOtherModels: async () => 0,
    async close() {
      for (const id of own.keys()) closeOne(id)
    },
    async open() {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      deleteAbandonedFiles()
      const id = `worker_${randomUUID()}`
      const file = join(folder, id)
      closeSync(openSync(file, 'wx', 0o600))
      const lock = new Database(file)
      takeLock(lock)
      own.set(id, lock)
      locks.add(lock)
      return { id, close: async () => closeOne(id) }
    },
  }
}

/** Deletes a holder's file if no process holds its lock. Returns true if the holder is gone. */
export function removeIfAbandoned(file: string): boolean {
  if (isHeld(file)) return false
  rmSync(file, { force: true })
  return true
}

function isHeld(file: string): boolean {
  let probe: Connection | undefined
  try {
    probe = new Database(file, { fileMustExist: true, timeout: 0 })
    takeLock(probe)
  } catch {
    // Locked, so alive; or the file cannot be opened, and then only its absence proves that the holder is gone.
    return existsSync(file)
  } finally {
    probe?.close()
  }
  return false
}

/** Throws if another process has the lock. Nothing is written, so no journal file is needed. */
function takeLock(database: Connection): void {
  database.pragma('journal_mode = memory')
  database.exec('begin exclusive')
}
