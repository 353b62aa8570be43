import type { ObjectStore, StoredObject } from '../../ports/objects.js'

export interface OrphanRules {
  readonly prefix: string
  /** In epoch milliseconds. An object is stored before its row is written, so a younger one may still get a row. */
  readonly storedBefore: number
  /** Returns the keys that no row names. */
  readonly findUnnamed: (keys: readonly string[]) => Promise<readonly string[]>
}

const keysPerBatch = 1000

/** Deletes the objects that no row names, in batches. Returns the number and the bytes of the deleted objects. */
export async function deleteOrphans(
  store: Pick<ObjectStore, 'delete'> & { list(prefix: string): AsyncIterable<StoredObject> },
  { prefix, storedBefore, findUnnamed }: OrphanRules,
): Promise<{ readonly objects: number; readonly sizeBytes: number }> {
  const total = { objects: 0, sizeBytes: 0 }
  const batch = new Map<string, number>()
  const deleteBatch = async () => {
    for (const key of await findUnnamed([...batch.keys()])) {
      await store.delete(key)
      total.objects += 1
      total.sizeBytes += batch.get(key) ?? 0
    }
    batch.clear()
  }
  for await (const { key, sizeBytes, storedAt } of store.list(prefix)) {
    if (storedAt < storedBefore) batch.set(key, sizeBytes)
    if (batch.size === keysPerBatch) await deleteBatch()
  }
  if (batch.size > 0) await deleteBatch()
  return total
}
