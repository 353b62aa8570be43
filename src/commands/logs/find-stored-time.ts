import { openStore } from '../../app/storage/open-store.js'
import type { StorageConfig } from '../../config/storage.js'
import { isSvcError, SvcError } from '../../errors.js'

/** Returns the time of the service on a database, in epoch milliseconds. */
export async function findStoredTime(config: StorageConfig): Promise<number> {
  try {
    const store = await openStore(config, { mayCreate: false })
    const now = store.now()
    await store.close()
    return now
  } catch (error) {
    if (!isSvcError(error)) throw error
    const advice = 'Give --since a time, such as 2026-10-14T08:00Z, which needs no database.'
    throw new SvcError(error.code, `${error.message} ${advice}`, { cause: error.cause })
  }
}
