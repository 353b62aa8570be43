import { openDiskObjects } from '../../adapters/objects/disk.js'
import { createUrlSignatures } from '../../adapters/objects/signature.js'
import { createPseudonyms, openSecret } from '../../adapters/secret.js'
import { type DataDir, openPart } from '../../runtime/data-dir.js'
import { type LogPlace, openLogReader } from '../log.js'
import { openStore } from '../store.js'
import type { RecordParts } from './records.js'

export interface OpenRecords extends RecordParts {
  close(): Promise<void>
}

/** Opens the records of a data directory, for commands that read it with or without a running server. */
export async function openRecords(dataDir: DataDir, place: LogPlace = 'folder'): Promise<OpenRecords> {
  // First, because no process can replace the files while the store is open.
  const store = await openStore(dataDir)
  try {
    const secret = await openPart(dataDir.secret, () => openSecret(dataDir.secret))
    // No URL is signed here.
    const signatures = createUrlSignatures(secret, 0)
    const objects = await openPart(dataDir.objects, () => openDiskObjects(dataDir.objects, signatures))
    const log = await openLogReader({ place, folder: dataDir.logs, store })
    return { log, store, objects, pseudonyms: createPseudonyms(secret), close: () => store.close() }
  } catch (error) {
    await store.close()
    throw error
  }
}
