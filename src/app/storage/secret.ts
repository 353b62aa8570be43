import type { KeyObject } from 'node:crypto'
import { fingerprintOf, openSecret, readSecret, toSecret } from '../../adapters/secret.js'
import { isUnfinished } from '../../adapters/sql/upkeep/unfinished.js'
import type { StorageConfig } from '../../config/storage.js'
import { SvcError } from '../../errors.js'
import type { SettingStore } from '../../ports/store.js'
import { createDataDir, openPart } from '../../runtime/data-dir.js'

/**
 * Returns the secret of the settings; undefined for that of the data directory. Throws `invalid_request` if a database of
 * several processes has no secret: each machine would make its own.
 */
export function findSecret({ secret, secretFile, database }: StorageConfig): KeyObject | undefined {
  if (secret !== '' && secretFile !== '') {
    throw new SvcError('invalid_request', 'SVC_SECRET and SVC_SECRET_FILE are both set; set one of them.')
  }
  if (secret !== '') return toSecret(secret)
  if (secretFile !== '') return readSecret(secretFile)
  if (database === '') return undefined
  throw new SvcError(
    'invalid_request',
    'With a database, all processes need the same secret: set SVC_SECRET, or SVC_SECRET_FILE to the path of a file with it. ' +
      'Make one with: openssl rand -hex 32',
  )
}

/**
 * Returns the given secret, or that of the data directory, which is created on first use. Rejects with `invalid_request` if
 * the database was first used with another secret: URLs and pseudonyms would not match.
 */
export async function openSecretOf(
  { database, dataDir }: StorageConfig,
  given: KeyObject | undefined,
  store: SettingStore,
): Promise<KeyObject> {
  if (given === undefined) {
    const file = createDataDir(dataDir).secret
    return openPart(file, () => openSecret(file))
  }
  if (database !== '') requireSame(given, await store.keepSetting('secret_fingerprint', fingerprintOf(given)))
  return given
}

/** True if the database of several processes has this secret. The database may have been replaced since the start. */
export async function isSecretOf(
  { database }: StorageConfig,
  secret: KeyObject,
  store: Pick<SettingStore, 'findSetting'>,
): Promise<boolean> {
  return database === '' || (await store.findSetting('secret_fingerprint')) === fingerprintOf(secret)
}

/** Throws `invalid_request` if a database has no secret, or another one than its first process. */
export function requireSecret(config: StorageConfig, kept: string | undefined): void {
  const secret = findSecret(config)
  if (secret !== undefined && kept !== undefined) requireSame(secret, kept)
}

/** Throws `invalid_request` if the fingerprint that a database keeps is not that of the secret; `unavailable` if a move has not filled it. */
export function requireSame(secret: KeyObject, kept: string): void {
  const fingerprint = fingerprintOf(secret)
  if (kept === fingerprint) return
  if (isUnfinished(kept)) {
    const message =
      'svc data move has not filled the database completely. Wait for its end; if it was interrupted, move into an empty one.'
    throw new SvcError('unavailable', message)
  }
  throw new SvcError(
    'invalid_request',
    `The database was first used with another secret: its fingerprint is ${kept}, that of the given one ${fingerprint}. ` +
      'Set SVC_SECRET or SVC_SECRET_FILE to the secret of the other processes.',
  )
}
