import type { KeyObject } from 'node:crypto'
import { openDiskObjects } from '../../adapters/objects/disk.js'
import { createPseudonyms, createUrlSignatures } from '../../adapters/secret.js'
import type { StorageConfig } from '../../config/storage.js'
import type { UrlSignatures } from '../../ports/objects.js'
import type { Store } from '../../ports/store.js'
import { createDataDir, openPart } from '../../runtime/data-dir.js'
import { openStore, type StoreOptions } from './open-store.js'
import { findSecret, isSecretOf, openSecretOf } from './secret.js'

/** The state of a service. */
export type Storage = Awaited<ReturnType<typeof openStorage>>

export interface StorageOptions extends StoreOptions {
  /** The validity of signed URLs; 0 if URLs are not signed. */
  readonly urlTtlSeconds: number
}

/** Opens store, objects and secret as configured. The only place that does, for the server and for every command. */
export async function openStorage(config: StorageConfig, options: StorageOptions) {
  const given = findSecret(config)
  // First, because no process can replace the files while the store is open.
  const store = await openStore(config, options)
  let opened: OpenObjects | undefined
  try {
    const secret = await openSecretOf(config, given, store)
    const signatures = createUrlSignatures(secret, options.urlTtlSeconds)
    opened = await openObjects(config, signatures)
    return {
      ...{ store, objects: opened.objects, signatures, pseudonyms: createPseudonyms(secret) },
      /** True if the database answers, and has the tables and the secret of this process. */
      isReady: () => isUsable(config, secret, store),
      /** Closes objects and store, also if one of them fails. */
      close: () => closeBoth(opened, store),
    }
  } catch (error) {
    await closeBoth(opened, store)
    throw error
  }
}

async function isUsable(config: StorageConfig, secret: KeyObject, store: Store): Promise<boolean> {
  try {
    return (await store.isAlive()) && (await store.isCompatible()) && (await isSecretOf(config, secret, store))
  } catch {
    // The reason is in the log of a request that needed the database.
    return false
  }
}

async function closeBoth(objects: OpenObjects | undefined, store: Store): Promise<void> {
  try {
    await objects?.close()
  } finally {
    await store.close()
  }
}

type OpenObjects = Awaited<ReturnType<typeof openObjects>>

/** Opens the configured object store. Loads the client of buckets only if there is one. */
export async function openObjects(config: StorageConfig, signatures: UrlSignatures) {
  if (config.objects !== '') {
    const { openBucket } = await import('./bucket.js')
    const objects = openBucket(config, signatures)
    return { objects, close: () => objects.close() }
  }
  const folder = createDataDir(config.dataDir).objects
  return { objects: await openPart(folder, () => openDiskObjects(folder, signatures)), close: async () => {} }
}
