import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRunning } from './is-running.js'

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
