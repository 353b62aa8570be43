import { iterateStoredFiles, type StoredFile } from '../../adapters/objects/inventory.js'
import type { DataDir } from '../../runtime/data-dir.js'
import { withDatabase } from './examine.js'

/** A file is stored before its row is written, so a younger file may still get a row. */
const settledMs = 3_600_000

/** Finds stored files that no row names. Lists the files before it reads the rows, so no file of a newer row is included. */
export function findOrphans(dataDir: DataDir, now: number): StoredFile[] {
  const settled = new Map<string, StoredFile>()
  for (const file of iterateStoredFiles(dataDir.objects)) {
    if (now - file.storedAt > settledMs) settled.set(file.key, file)
  }
  if (settled.size === 0) return []
  withDatabase(dataDir.database, now, (database) => database.forEachNamedObject((key) => settled.delete(key)))
  return [...settled.values()]
}

/** Finds objects that finished tasks name and whose files do not exist. */
export function findMissing(dataDir: DataDir, now: number): { readonly key: string; readonly taskId: string }[] {
  return withDatabase(dataDir.database, now, (database) => {
    const missing = new Set<string>()
    database.forEachNamedObject((key) => missing.add(key))
    // After the rows, because a file exists before its row.
    for (const { key } of iterateStoredFiles(dataDir.objects)) missing.delete(key)
    return missing.size === 0 ? [] : database.findPromised(missing)
  })
}
