import { openDiskObjects } from '../../adapters/objects/disk.js'
import type { StorageConfig } from '../../config/storage.js'
import type { ObjectStore, UrlSignatures } from '../../ports/objects.js'
import { createDataDir, openPart } from '../../runtime/data-dir.js'

export interface OpenObjects {
  readonly objects: ObjectStore
  close(): Promise<void>
}

/** Opens the configured object store. Loads the client of buckets only if there is one. */
export async function openObjects(config: StorageConfig, signatures: UrlSignatures): Promise<OpenObjects> {
  if (config.objects !== '') {
    const { openBucket } = await import('./bucket.js')
    const objects = openBucket(config, signatures)
    return { objects, close: () => objects.close() }
  }
  const folder = createDataDir(config.dataDir).objects
  return { objects: await openPart(folder, () => openDiskObjects(folder, signatures)), close: async () => {} }
}
