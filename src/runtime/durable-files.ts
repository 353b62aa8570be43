import { closeSync, fsyncSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Makes a file's content, or the names in a folder, survive a power loss. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes all that a folder contains survive a power loss. Its own name is durable after its parent is synced. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else syncToDisk(path)
  }
  syncToDisk(folder)
}

/** Writes a file that only its owner can read, and syncs its content. Its name is durable after its folder is synced. */
export function writeDurably(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600, flush: true })
}

/** Returns the path at which this process writes a file before it moves it into place. */
export function draftOf(file: string): string {
  return `${file}.${process.pid}`
}

/** Lists the drafts of a file whose processes ended before they moved or removed them. Call it before this process drafts. */
export function listAbandonedDrafts(file: string): string[] {
  const folder = dirname(file)
  const prefix = `${basename(file)}.`
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && isAbandoned(name.slice(prefix.length)))
    .map((name) => join(folder, name))
}

/** A container starts its program under the same process ID again. */
function isAbandoned(owner: string): boolean {
  return /^\d+$/.test(owner) && (Number(owner) === process.pid || !isRunning(Number(owner)))
}

/** True if a process has this ID, of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
