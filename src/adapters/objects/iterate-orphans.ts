import type { ObjectStore, StoredObject } from '../../ports/objects.js'

export interface OrphanRules {
  /** In epoch milliseconds. An object is stored before its row is written, so a younger one may still get a row. */
  readonly storedBefore: number
  /** Returns the keys that their own task does not name: a fast check that finds most. */
  readonly dropNamedByOwner: (keys: readonly string[]) => Promise<readonly string[]>
  /** Removes the keys that any row names: it reads all rows. */
  readonly dropNamed: (keys: Set<string>) => Promise<void>
}

const prefix = 'ai-gateway/'
const keysPerBatch = 1000
/** All rows are read once for so many objects that their own task does not name. */
const suspectsAtMost = 100_000

/** Iterates over the objects that no row names, in groups. Objects are listed before rows are read. */
export async function* iterateOrphans(
  store: Pick<ObjectStore, 'list'>,
  { storedBefore, dropNamedByOwner, dropNamed }: OrphanRules,
): AsyncGenerator<readonly StoredObject[]> {
  let batch = new Map<string, StoredObject>()
  let suspects = new Map<string, StoredObject>()

  async function checkBatch(): Promise<void> {
    for (const key of await dropNamedByOwner([...batch.keys()])) suspects.set(key, batch.get(key) as StoredObject)
    batch = new Map()
  }

  async function endSuspects(): Promise<readonly StoredObject[]> {
    const keys = new Set(suspects.keys())
    if (keys.size > 0) await dropNamed(keys)
    const orphans = [...keys].map((key) => suspects.get(key) as StoredObject)
    suspects = new Map()
    return orphans
  }

  for await (const object of store.list(prefix)) {
    if (object.storedAt < storedBefore) batch.set(object.key, object)
    if (batch.size === keysPerBatch) await checkBatch()
    if (suspects.size >= suspectsAtMost) yield await endSuspects()
  }
  if (batch.size > 0) await checkBatch()
  yield await endSuspects()
}
