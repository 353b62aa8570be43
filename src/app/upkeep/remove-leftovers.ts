import { rmSync } from 'node:fs'
import type { DataDir } from '../../runtime/data-dir.js'
import { findOrphans } from './orphans.js'
import { listOldLeftovers } from './snapshot-leftovers.js'

/** Removes stored files that no row has named for an hour, and the remains of snapshots and restores after a day. */
export function removeLeftovers(dataDir: DataDir, now: number): void {
  for (const { path } of findOrphans(dataDir, now)) rmSync(path, { force: true })
  for (const path of listOldLeftovers(dataDir, now)) rmSync(path, { recursive: true, force: true })
}
