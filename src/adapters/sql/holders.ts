import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Holder } from '../../ports/tasks.js'
import { type Connection, Database } from './driver.js'

/** A file younger than this may be one that its holder is about to lock. */
const settledMs = 10_000

export interface Holders {
  open(): Promise<Holder>
  /** Those of the holders whose process is gone. */
  findGone(ids: readonly string[]): Promise<string[]>
  /** Whether there is a holder in another process. */
  hasOthers(): Promise<boolean>
  /** Closes those that are still open. */
  close(): Promise<void>
}

/** A connection that nobody refers to is collected, and its lock ends with it: others would take over what is in work. */
const locks = new Set<Connection>()

/**
 * A holder is a file in `folder` under a lock of the operating system, which ends with the process however that ends:
 * neither a process ID used again nor another container can be taken for it. SQLite makes the lock.
 */
export function createHolders(folder: string): Holders {
  const own = new Map<string, Connection>()

  function findGone(ids: readonly string[]): string[] {
    return ids.filter((id) => !own.has(id) && isGone(join(folder, id)))
  }

  function deleteFilesOfGone(): void {
    for (const id of readdirSync(folder)) {
      const age = Date.now() - (statSync(join(folder, id), { throwIfNoEntry: false })?.mtimeMs ?? 0)
      if (age > settledMs) findGone([id])
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
    findGone: async (ids) => findGone(ids),
    hasOthers: async () => readdirSync(folder).some((id) => !own.has(id) && isHeld(join(folder, id))),
    async close() {
      for (const id of own.keys()) closeOne(id)
    },
    async open() {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      deleteFilesOfGone()
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

/** Whether nobody holds the lock of a holder's file; the file is deleted then. */
export function isGone(file: string): boolean {
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
    // Locked, so alive; or not to be opened, and then only its absence says that the holder is gone.
    return existsSync(file)
  } finally {
    probe?.close()
  }
  return false
}

/** Throws where another has the lock. Nothing is ever written, so there need be no journal beside the file. */
function takeLock(database: Connection): void {
  database.pragma('journal_mode = memory')
  database.exec('begin exclusive')
}
