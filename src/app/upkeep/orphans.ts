import { iterateStoredFiles, type StoredFile } from '../../adapters/objects/inventory.js'
import { type Inspection, inspectDatabase } from '../../adapters/sql/upkeep/inspect.js'
import type { DataDir } from '../../data-dir.js'

/** A file is stored before a row tells of it: one that is younger may yet be told of. */
const settledMs = 3_600_000

/** Stored files that no row knows. Listed before the rows are read, so that none of them is of a later row. */
export function findOrphans(dataDir: DataDir, now: number): StoredFile[] {
  const settled = new Map<string, StoredFile>()
  for (const file of iterateStoredFiles(dataDir.objects)) {
    if (now - file.storedAt > settledMs) settled.set(file.key, file)
  }
  if (settled.size === 0) return []
  withDatabase(dataDir, now, (database) => database.forEachNamedObject((key) => settled.delete(key)))
  return [...settled.values()]
}

/** Stored files that finished tasks promise and that are not there. */
export function findMissing(dataDir: DataDir, now: number): { readonly key: string; readonly taskId: string }[] {
  return withDatabase(dataDir, now, (database) => {
    const missing = new Set<string>()
    database.forEachNamedObject((key) => missing.add(key))
    // After the rows: a file is there before a row names it.
    for (const { key } of iterateStoredFiles(dataDir.objects)) missing.delete(key)
    return missing.size === 0 ? [] : database.findPromised(missing)
  })
}

function withDatabase<T>({ database: file }: DataDir, now: number, use: (database: Inspection) => T): T {
  const database = inspectDatabase(file, now)
  try {
    return use(database)
  } finally {
    database.close()
  }
}
