import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDir } from '../../data-dir.js'

/** What a snapshot is made from is gathered here, beside its sources, on the same disk. */
export const snapshotDraftPrefix = '.snapshot-'
/** What is unpacked is here until it is known to be whole. */
export const restoreDraftName = '.restore-draft'
/** What was replaced, on its way out. */
export const trashName = '.trash'

/** No snapshot and no restore that works takes longer. */
const ageMs = 86_400_000

/** Whether a name in a data directory is of what a snapshot or a restore leaves behind when it is killed. */
export function isLeftover(name: string): boolean {
  return name === trashName || name.startsWith(restoreDraftName) || name.startsWith(snapshotDraftPrefix)
}

/** Also what is still being worked on, if anything is. */
export function listLeftovers({ path }: Pick<DataDir, 'path'>): string[] {
  return (existsSync(path) ? readdirSync(path) : []).filter(isLeftover).map((name) => join(path, name))
}

/** What nobody works on any more. */
export function listOldLeftovers(dataDir: Pick<DataDir, 'path'>, now: number): string[] {
  const isOld = (path: string) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > ageMs
  return listLeftovers(dataDir).filter(isOld)
}
