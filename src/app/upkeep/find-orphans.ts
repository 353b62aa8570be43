import { iterateOrphans } from '../../adapters/objects/iterate-orphans.js'
import {
  dropNamed,
  dropNamedByOwner,
  findPromised,
  iterateNamedObjects,
  type PromisedObject,
} from '../../adapters/sql/upkeep/named-objects.js'
import type { UpkeepDatabase } from '../../adapters/sql/upkeep/upkeep-database.js'
import type { ObjectStore, StoredObject } from '../../ports/objects.js'

/** A file is stored before its row is written, so a younger file may still get a row. */
const settledMs = 3_600_000

type Listed = Pick<ObjectStore, 'list'>

/** Iterates over the stored files that no row names, in groups. */
export function iterateOrphansOf(database: UpkeepDatabase, objects: Listed, now: number) {
  return iterateOrphans(objects, {
    storedBefore: now - settledMs,
    dropNamedByOwner: (keys) => dropNamedByOwner(database, keys),
    dropNamed: (keys) => dropNamed(database, keys),
  })
}

/** Finds the stored files that no row names. */
export async function findOrphans(database: UpkeepDatabase, objects: Listed, now: number): Promise<StoredObject[]> {
  const orphans: StoredObject[] = []
  for await (const group of iterateOrphansOf(database, objects, now)) orphans.push(...group)
  return orphans
}

/** Finds objects that finished tasks name and whose files do not exist. */
export async function findMissing(database: UpkeepDatabase, objects: Listed): Promise<PromisedObject[]> {
  const missing = new Set<string>()
  for await (const key of iterateNamedObjects(database)) missing.add(key)
  // After the rows, because a file exists before its row.
  for await (const { key } of objects.list('ai-gateway/')) missing.delete(key)
  return missing.size === 0 ? [] : findPromised(database, missing)
}
