import type { StorageConfig } from '../../config/storage.js'
import type { ServiceClock } from '../../ports/clock.js'
import { openLogReader } from '../storage/log.js'
import { openStorage } from '../storage/open-storage.js'
import type { RecordParts } from './records.js'

export interface OpenRecords extends RecordParts {
  readonly store: RecordParts['store'] & Pick<ServiceClock, 'now'>
  close(): Promise<void>
}

/** Opens the records of a service, for commands that read them with or without a running server. */
export async function openRecords(config: StorageConfig): Promise<OpenRecords> {
  const storage = await openStorage(config, { mayCreate: false, urlTtlSeconds: 0 })
  return { ...storage, log: await openLogReader(config, storage.store) }
}
