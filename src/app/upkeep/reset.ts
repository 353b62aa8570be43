import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDir } from '../../runtime/data-dir.js'
import { requireExclusiveLock } from './exclusive-lock.js'
import { listLeftovers } from './leftovers.js'
import { finishRestore, markEmptied } from './restore.js'

/** The contents of a data directory, in numbers. */
export interface Contents {
  readonly files: number
  readonly size_bytes: number
  readonly objects: number
  readonly object_bytes: number
}

/** Measures the files of svc in a data directory. */
export function measureContents(dataDir: DataDir): Contents {
  const all = listParts(dataDir).map(measure)
  const objects = measure(dataDir.objects)
  return {
    files: all.reduce((sum, { files }) => sum + files, 0),
    size_bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    objects: objects.files,
    object_bytes: objects.bytes,
  }
}

/**
 * Deletes all files of svc in a data directory, and nothing else: tasks, objects, keys, the secret, the log. The operator's
 * file stays. A killed process leaves a marker, with which all others refuse the folder until `finishRestore` or another
 * reset. Throws `conflict` if the folder is in use.
 */
export function resetDataDir(dataDir: DataDir): Contents {
  const contents = measureContents(dataDir)
  if (listParts(dataDir).length === 0) return contents
  const hold = requireExclusiveLock(dataDir)
  try {
    markEmptied(dataDir)
    rmSync(dataDir.logs, { recursive: true, force: true })
    for (const leftover of listLeftovers(dataDir)) rmSync(leftover, { recursive: true, force: true })
    // Last, because it deletes the locked file.
    finishRestore(dataDir)
    return contents
  } finally {
    hold.release()
  }
}

function listParts(dataDir: DataDir): string[] {
  const { database, journals, secret, localKey, logs, objects, workers, restore } = dataDir
  const parts = [database, ...journals, localKey, secret, objects, logs, workers, restore, ...listLeftovers(dataDir)]
  return parts.filter((part) => existsSync(part))
}

function measure(path: string): { files: number; bytes: number } {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return { files: 0, bytes: 0 }
  if (!found.isDirectory()) return { files: 1, bytes: found.size }
  const below = readdirSync(path).map((name) => measure(join(path, name)))
  return {
    files: below.reduce((sum, { files }) => sum + files, 0),
    bytes: below.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
