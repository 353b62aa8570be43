import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDir } from '../../runtime/data-dir.js'

/** The draft of a snapshot is collected next to its sources, on the same disk. */
export const snapshotDraftPrefix = '.snapshot-'
/** A snapshot is unpacked here until it is verified. */
export const restoreDraftName = '.restore-draft'
/** Replaced files are moved here and then deleted. */
export const trashName = '.trash'

/** No running snapshot or restore takes longer. */
const ageMs = 86_400_000

/** True if a name in a data directory belongs to the remains of a killed snapshot or restore. */
export function isLeftover(name: string): boolean {
  return name === trashName || name.startsWith(restoreDraftName) || name.startsWith(snapshotDraftPrefix)
}

/** Lists leftovers, including those of a snapshot or restore that is still running. */
export function listLeftovers({ path }: Pick<DataDir, 'path'>): string[] {
  return (existsSync(path) ? readdirSync(path) : []).filter(isLeftover).map((name) => join(path, name))
}

/** Lists leftovers that no process uses any more. */
export function listOldLeftovers(dataDir: Pick<DataDir, 'path'>, now: number): string[] {
  const isOld = (path: string) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > ageMs
  return listLeftovers(dataDir).filter(isOld)
}
