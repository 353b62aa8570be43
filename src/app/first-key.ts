import { rmSync } from 'node:fs'
import type { Config } from '../config.js'
import { createKey, fullSettings, isValidKey, readKeyId } from '../contract/access.js'
import type { ApiKey } from '../ports/keys.js'
import type { Store } from '../ports/store.js'
import { type DataDir, describeDataDir, draftLocalKey, findLocalKey, openPart } from '../runtime/data-dir.js'
import { listAbandonedDrafts } from '../runtime/durable-files.js'

/** A key with its text, which is not stored in the database. */
export interface CreatedKey {
  readonly id: string
  readonly name: string
  readonly text: string
}

/**
 * Creates the full key `local` in a database without keys. A revoked key counts as a key. Finishes what killed processes
 * left before.
 */
export async function createFirstKey(
  { database, dataDir }: Pick<Config, 'database' | 'dataDir'>,
  store: Store,
  now: number,
): Promise<CreatedKey | undefined> {
  // A database of several machines has no folder to keep it in.
  const folder = database === '' ? describeDataDir(dataDir) : undefined
  if (folder !== undefined) await openPart(folder.localKey, () => settleDrafts(folder, store, now))
  if ((await store.listKeys()).length > 0) return undefined
  const { key, text } = createKey({ ...fullSettings, name: 'local', admin: true }, new Date(now))
  const draft = folder && (await openPart(folder.database, () => draftLocalKey(folder, text)))
  // Another process may be starting on the same database: only one of the two keys is inserted.
  if (!(await store.insertFirstKey(key))) {
    draft?.discard()
    return undefined
  }
  draft?.keep()
  return { id: key.id, name: key.name, text }
}

/** Keeps the key of a process that was killed after it had stored the key's row, and removes other drafts. */
async function settleDrafts(folder: DataDir, store: Store, now: number): Promise<void> {
  for (const draft of listAbandonedDrafts(folder.localKey)) {
    const text = findLocalKey({ localKey: draft }) ?? ''
    const key = await findValidKey(text, store, now)
    const kept = key && (await findValidKey(findLocalKey(folder) ?? '', store, now))
    if (key !== undefined && (kept === undefined || key.replaces === kept.id)) draftLocalKey(folder, text).keep()
    rmSync(draft, { force: true })
  }
  for (const draft of listAbandonedDrafts(folder.secret)) rmSync(draft, { force: true })
}

async function findValidKey(text: string, store: Store, now: number): Promise<ApiKey | undefined> {
  const id = readKeyId(text)
  const key = id === undefined ? undefined : await store.findKey(id)
  return key !== undefined && isValidKey(text, key, now) ? key : undefined
}
