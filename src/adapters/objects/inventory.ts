import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { StoredObject } from '../../ports/objects.js'
import { isObjectKey } from './key.js'

export interface StoredFile extends StoredObject {
  readonly path: string
}

/** Iterates the files of all objects below `folder`; no files if it does not exist. */
export function* iterateStoredFiles(folder: string, below = folder): Generator<StoredFile> {
  for (const entry of readFolder(below)) {
    const path = join(below, entry.name)
    const key = relative(folder, path).split(sep).join('/')
    if (entry.isDirectory()) yield* entry.name.startsWith('.') ? [] : iterateStoredFiles(folder, path)
    else if (entry.isFile() && isObjectKey(key)) {
      const found = statSync(path, { throwIfNoEntry: false })
      if (found !== undefined) yield { key, path, sizeBytes: found.size, storedAt: found.mtimeMs }
    }
  }
}

/** The folder may be removed concurrently. */
function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
