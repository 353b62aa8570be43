import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDir } from '../../runtime/data-dir.js'
import { withExclusiveLock } from './exclusive-lock.js'
import { finishRestore, markEmptied } from './restore.js'
import { listLeftovers } from './snapshot-leftovers.js'

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
 * file stays. A killed process leaves a marker, with which all others refuse the folder until `finishRestore` or another
 * reset. Throws `conflict` if the folder is in use.
 */
export function resetDataDir(dataDir: DataDir): Contents {
  const contents = measureContents(dataDir)
  if (listParts(dataDir).length === 0) return contents
  withExclusiveLock(dataDir, () => {
    markEmptied(dataDir)
    rmSync(dataDir.logs, { recursive: true, force: true })
    for (const leftover of listLeftovers(dataDir)) rmSync(leftover, { recursive: true, force: true })
    // Last, because it deletes the locked file.
    finishRestore(dataDir)
  })
  return contents
}

function listParts(dataDir: DataDir): string[] {
  const { database, journals, secret, localKey, logs, objects, workers, servers, restore } = dataDir
  const working = [logs, workers, servers, restore]
  const parts = [database, ...journals, localKey, secret, objects, ...working, ...listLeftovers(dataDir)]
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
