import { lstatSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInUse } from '../../app/upkeep/alone.js'
import { describeDataDir } from '../../data-dir.js'

/** In it lies a folder that goes with its process; none that somebody made and called alike. */
const markName = '.temporary'
/** A folder younger than this may be one whose server is about to start. */
const settledMs = 10_000

export function markAsTemporary(folder: string): void {
  writeFileSync(join(folder, markName), 'This folder is removed with the process that made it.\n', { mode: 0o600 })
}

/** Removes this user's temporary folders, each with a key that may do everything, whose process was killed. */
export function removeAbandonedFolders(now: number): void {
  for (const name of listFolder(tmpdir())) {
    if (!/^svc-(demo|exec)-[A-Za-z0-9]{6}$/.test(name)) continue
    const folder = join(tmpdir(), name)
    try {
      if (isAbandoned(folder, now)) rmSync(folder, { recursive: true, force: true })
    } catch {
      // It stays; that must not keep anybody from starting.
    }
  }
}

function isAbandoned(folder: string, now: number): boolean {
  const { uid } = lstatSync(folder)
  const markedAt = statSync(join(folder, markName), { throwIfNoEntry: false })?.mtimeMs
  const isOurs = markedAt !== undefined && uid === (process.getuid?.() ?? uid)
  return isOurs && now - markedAt > settledMs && !isInUse(describeDataDir(folder))
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    // Where files may be made and none be listed, none can be found.
    return []
  }
}
