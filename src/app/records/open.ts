import { openDiskObjects } from '../../adapters/objects/disk.js'
import { createUrlSignatures } from '../../adapters/objects/signature.js'
import { createPseudonyms, openSecret } from '../../adapters/secret.js'
import { type DataDir, openPart } from '../../data-dir.js'
import { openStore } from '../store.js'
import type { RecordParts } from './records.js'

export interface OpenRecords extends RecordParts {
  close(): Promise<void>
}

/** What a data directory knows of the calls in its log, for commands that read it beside a server or without one. */
export async function openRecords(dataDir: DataDir): Promise<OpenRecords> {
  // First: while it is open nobody puts other files in place of these.
  const store = await openStore(dataDir)
  try {
    const secret = await openPart(dataDir.secret, () => openSecret(dataDir.secret))
    // Nobody gets an address from here.
    const signatures = createUrlSignatures(secret, 0)
    const objects = await openPart(dataDir.objects, () => openDiskObjects(dataDir.objects, signatures))
    return { logs: dataDir.logs, store, objects, pseudonyms: createPseudonyms(secret), close: () => store.close() }
  } catch (error) {
    await store.close()
    throw error
  }
}
