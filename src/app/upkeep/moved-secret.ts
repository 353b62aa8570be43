import type { KeyObject } from 'node:crypto'
import { findStoredSecret } from '../../adapters/secret.js'
import type { StorageConfig } from '../../config/storage.js'
import { SvcError } from '../../errors.js'
import type { DataDir } from '../../runtime/data-dir.js'
import { findSecret } from '../storage/secret.js'

/**
 * Finds the secret of a service that moves between a folder and a database, which stays the same: that of the settings or of
 * the folder. `file` is null if it is that of the settings. Throws `invalid_request` without one, or if the two differ.
 */
export function findMovedSecret(
  config: StorageConfig,
  { secret: file, path }: DataDir,
): { readonly key: KeyObject; readonly file: string | null } {
  const stored = findStoredSecret(file)
  const isGiven = config.secret !== '' || config.secretFile !== ''
  if (!isGiven && stored !== undefined) return { key: stored, file }
  // Throws without a secret, and says how to make one.
  const given = findSecret(config)
  if (given === undefined) throw new SvcError('invalid_request', `${path} has no secret: set SVC_SECRET.`)
  if (stored === undefined || stored.equals(given)) return { key: given, file: null }
  throw new SvcError('invalid_request', `SVC_SECRET is not the secret in ${file}. Unset it to keep that of the folder.`)
}
