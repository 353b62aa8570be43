import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { SvcError } from '../errors.js'
import type { Pseudonyms } from '../ports/pseudonyms.js'
import { syncToDisk, writeDurably } from '../runtime/sync-to-disk.js'

/** Callers ask about a pet many times in a row (metrics, windows), and a hash costs as much as parsing the request. */
const hashesKept = 10_000

/**
 * Reads the secret of `file`, which is created on first use, readable by its owner only. Each use of the secret hashes under
 * its own context, such as `user\0`.
 * Throws `unavailable` if the file holds anything else: hashes without a secret could be guessed.
 */
export function openSecret(file: string): KeyObject {
  return createSecretKey(readSecret(file) ?? makeSecret(file), 'hex')
}

/** Creates keyed hashes of IDs. Users and pets have different contexts, so an ID shared by both gives two hashes. */
export function createPseudonyms(secret: KeyObject): Pseudonyms {
  const createHash = (context: string) => {
    const known = new Map<string, string>()
    return (id: string) => {
      let hash = known.get(id)
      if (hash === undefined) {
        hash = `hmac:${createHmac('sha256', secret).update(`${context}\0${id}`).digest('base64url')}`
        if (known.size >= hashesKept) known.clear()
        known.set(id, hash)
      }
      return hash
    }
  }
  return { user: createHash('user'), pet: createHash('pet') }
}

function readSecret(file: string): string | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (/^[0-9a-f]{64}$/.test(text)) return text
  throw new SvcError(
    'unavailable',
    `${file} must hold 64 hexadecimal digits. Restore a copy of it, or delete it; IDs then get new hashes.`,
  )
}

/** Two processes may start at once: `link` succeeds for one of them, and both read its secret. */
function makeSecret(file: string): string {
  const draft = `${file}.${process.pid}`
  try {
    // A power loss must not leave an empty secret.
    writeDurably(draft, `${randomBytes(32).toString('hex')}\n`)
    linkSync(draft, file)
    syncToDisk(dirname(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readSecret(file) ?? makeSecret(file)
}
