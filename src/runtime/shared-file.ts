import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SvcError } from '../errors.js'
import { isRunning } from './durable-files.js'
import { writeWhole } from './output.js'
import { codeOf, reasonOf } from './reason.js'

/** The longest time for which a process holds a lock: it reads, changes and writes a file without waiting. */
const lockLifeMs = 10_000
const retryMs = 5

/**
 * Reads a file, changes its content and writes it whole, while it is locked: other processes change it too. `change` returns
 * undefined to keep the file. The folder is created if it does not exist; `isPrivate` denies other users both.
 */
export async function changeFile(
  path: string,
  change: (content: string | undefined) => string | undefined,
  isPrivate = false,
): Promise<void> {
  const lock = `${path}.lock`
  mkdirSync(dirname(path), { recursive: true, ...(isPrivate && { mode: 0o700 }) })
  while (!takeLock(lock)) await wait(retryMs)
  try {
    const next = change(readIfThere(path))
    if (next !== undefined) await writeWhole(path, next, isPrivate ? 0o600 : undefined)
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Returns the content of a file, or undefined if it does not exist. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw new SvcError('invalid_request', `${path} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}

function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') {
      throw new SvcError('invalid_request', `${lock} cannot be written: ${reasonOf(cause)}.`, { cause })
    }
    if (isAbandoned(lock)) rmSync(lock, { force: true })
    return false
  }
}

/** True if the process that took a lock was killed. After a restart of the machine, another process may have its ID. */
function isAbandoned(lock: string): boolean {
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  const owner = Number(readIfThere(lock))
  // The owner writes its ID just after it creates the file.
  return age > lockLifeMs || (owner > 0 && !isRunning(owner))
}
