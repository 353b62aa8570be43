import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDir } from '../../data-dir.js'
import { requireAlone } from './alone.js'
import { listLeftovers } from './leftovers.js'
import { finishRestore, markEmptied } from './restore.js'

/** What was in a data directory, or is. */
export interface Contents {
  readonly files: number
  readonly size_bytes: number
  readonly objects: number
  readonly object_bytes: number
}

/** How much a data directory holds of what svc put there. */
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
 * Removes all that svc put into a data directory, and nothing else: tasks, files, keys, the secret, the log. The operator's
 * file stays. A process that is killed leaves a mark by which all others refuse the folder until `finishRestore` or another
 * reset. Throws `conflict` where the folder is in use.
 */
export function resetDataDir(dataDir: DataDir): Contents {
  const contents = measureContents(dataDir)
  if (listParts(dataDir).length === 0) return contents
  const hold = requireAlone(dataDir)
  try {
    markEmptied(dataDir)
    rmSync(dataDir.logs, { recursive: true, force: true })
    for (const leftover of listLeftovers(dataDir)) rmSync(leftover, { recursive: true, force: true })
    // Last, for with it the lock goes.
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
