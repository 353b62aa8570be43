import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDir } from '../../runtime/data-dir.js'
import { syncToDisk } from '../../runtime/durable-files.js'
import { withExclusiveLock } from './exclusive-lock.js'
import { listLeftovers } from './leftovers.js'

/** The contents of a data directory, in numbers. */
export interface Contents {
  readonly files: number
  readonly size_bytes: number
  readonly objects: number
  readonly object_bytes: number
}

/** Measures the files of svc in a data directory. */
export function measureContents(dataDir: DataDir): Contents {
  const all = measure(listParts(dataDir))
  const objects = measure([dataDir.objects])
  return { files: all.files, size_bytes: all.bytes, objects: objects.files, object_bytes: objects.bytes }
}

/**
 * Deletes all files of svc in a data directory, and nothing else: tasks, objects, keys, the secret, the log. The operator's
 * file stays. A killed process leaves the folder `.restore`, with which all others refuse the data directory until another
 * reset or a restore. Throws `conflict` if the folder is in use.
 */
export async function resetDataDir(dataDir: DataDir): Promise<Contents> {
  const contents = measureContents(dataDir)
  if (listParts(dataDir).length === 0) return contents
  await withExclusiveLock(dataDir, () => {
    mkdirSync(dataDir.restore, { recursive: true, mode: 0o700 })
    syncToDisk(dataDir.path)
    for (const part of listParts(dataDir)) if (part !== dataDir.restore) rmSync(part, { recursive: true, force: true })
    syncToDisk(dataDir.path)
    rmSync(dataDir.restore, { recursive: true, force: true })
    syncToDisk(dataDir.path)
  })
  return contents
}

function listParts(dataDir: DataDir): string[] {
  const { database, journals, secret, localKey, log, logJournals, formerLogs, objects, workers, servers, restore } =
    dataDir
  const working = [log, ...logJournals, formerLogs, workers, servers, restore]
  // The database is the last, because it is locked.
  const parts = [localKey, secret, objects, ...working, ...listLeftovers(dataDir), ...journals, database]
  return parts.filter((part) => existsSync(part))
}

/** Sums the files at the paths and below them. */
function measure(paths: readonly string[]): { files: number; bytes: number } {
  const sum = { files: 0, bytes: 0 }
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) continue
    const isFolder = found.isDirectory()
    const below = isFolder
      ? measure(readdirSync(path).map((name) => join(path, name)))
      : { files: 1, bytes: found.size }
    sum.files += below.files
    sum.bytes += below.bytes
  }
  return sum
}
