import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDir } from '../../runtime/data-dir.js'

/** The files of a snapshot are collected next to their sources, on the same disk. */
export const snapshotDraftPrefix = '.snapshot-'

/** No running snapshot takes longer. */
export const leftoverAgeMs = 86_400_000

/** True if a name in a data directory belongs to the remains of a killed snapshot, or of a restore of an older version. */
export function isLeftover(name: string): boolean {
  return name.startsWith(snapshotDraftPrefix) || name.startsWith('.restore-draft') || name === '.trash'
}

/** Lists leftovers, including those of a snapshot that is still running. */
export function listLeftovers({ path }: Pick<DataDir, 'path'>): string[] {
  return (existsSync(path) ? readdirSync(path) : []).filter(isLeftover).map((name) => join(path, name))
}

/** Removes leftovers that no process uses any more. */
export function removeOldLeftovers(dataDir: Pick<DataDir, 'path'>, now: number): void {
  const isOld = (path: string) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > leftoverAgeMs
  for (const path of listLeftovers(dataDir).filter(isOld)) rmSync(path, { recursive: true, force: true })
}
