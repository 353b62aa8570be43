import { iterateOrphans } from '../../adapters/objects/iterate-orphans.js'
import { dropNamed, dropNamedByOwner } from '../../adapters/sql/upkeep/named-objects.js'
import type { UpkeepDatabase } from '../../adapters/sql/upkeep/upkeep-database.js'
import type { ObjectStore } from '../../ports/objects.js'

/** A file is stored before its row is written, so a younger file may still get a row. */
const settledMs = 3_600_000

/** Iterates over the stored files that no row names, in groups. */
export function iterateOrphansOf(database: UpkeepDatabase, objects: Pick<ObjectStore, 'list'>, now: number) {
  return iterateOrphans(objects, {
    storedBefore: now - settledMs,
    dropNamedByOwner: (keys) => dropNamedByOwner(database, keys),
    dropNamed: (keys) => dropNamed(database, keys),
  })
}
