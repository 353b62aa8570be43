import { lstatSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInUse } from '../../app/upkeep/exclusive-lock.js'
import { describeDataDir } from '../../runtime/data-dir.js'

/** Marks a folder that is removed with its process; a folder of a person with a similar name has no mark. */
const markName = '.temporary'
/** The server of a younger folder may be about to start. */
const settledMs = 10_000

export function markAsTemporary(folder: string): void {
  writeFileSync(join(folder, markName), 'This folder is removed with the process that created it.\n', { mode: 0o600 })
}

/** Removes the temporary folders of this user whose process was killed: each has a key without restrictions. */
export function removeAbandonedFolders(now: number): void {
  for (const name of listFolder(tmpdir())) {
    if (!/^svc-(demo|exec)-[A-Za-z0-9]{6}$/.test(name)) continue
    const folder = join(tmpdir(), name)
    try {
      if (isAbandoned(folder, now)) rmSync(folder, { recursive: true, force: true })
    } catch {
      // A folder that cannot be removed must not prevent the start.
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
    // A temporary folder may allow files to be created and not to be listed.
    return []
  }
}
