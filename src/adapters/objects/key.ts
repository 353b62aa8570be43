import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { StoredObject } from '../../ports/objects.js'

const charactersAtMost = 512
const segmentCharactersAtMost = 200

/**
 * True if a text is an object key: `ai-gateway/` and segments of letters, digits, `.`, `_` and `-` that do not begin
 * with a dot. Such a key is a valid path on every system, and needs no escaping in a URL.
 * @NOTE contract: the layout is not shown; the prefix is that of the keys that diary pictures accept.
 */
export function isObjectKey(key: string): boolean {
  return (
    key.length <= charactersAtMost &&
    /^ai-gateway(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(key) &&
    !key.includes('..') &&
    key.split('/').every((segment) => segment.length <= segmentCharactersAtMost)
  )
}

const typeByEnding: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
}

export function contentTypeOf(key: string): string {
  return typeByEnding[/\.(\w+)$/.exec(key)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}

/** Iterates the files of all objects below `folder`; no files if it does not exist. */
export function* iterateStoredFiles(folder: string, below = folder): Generator<StoredObject> {
  for (const entry of readFolder(below)) {
    const path = join(below, entry.name)
    const key = relative(folder, path).split(sep).join('/')
    if (entry.isDirectory()) yield* entry.name.startsWith('.') ? [] : iterateStoredFiles(folder, path)
    else if (entry.isFile() && isObjectKey(key)) {
      const found = statSync(path, { throwIfNoEntry: false })
      if (found !== undefined) yield { key, sizeBytes: found.size, storedAt: found.mtimeMs }
    }
  }
}

/** Lists a folder, which may be removed concurrently. */
export function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
