import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SvcError } from '../errors.js'
import type { Pseudonyms } from '../ports.js'

/** A pet is asked about many times in a row (metrics, windows), and a hash costs as much as parsing its request. */
const hashesKept = 10_000

/**
 * The secret of `file`, which is made on first use and readable by its owner alone. Whoever hashes with it does so under a
 * context of its own, such as `user\0`.
 * Throws `unavailable` if the file holds anything but such a secret: hashes without one could be guessed.
 */
export function openSecret(file: string): KeyObject {
  return createSecretKey(readSecret(file) ?? makeSecret(file), 'hex')
}

/** Keyed hashes of IDs. Users and pets have contexts of their own, so that equal IDs do not show. */
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
    `${file} must hold 64 hexadecimal digits. Put back a copy of it; or delete it, and IDs get other hashes from then on.`,
  )
}

/** Two processes may start at once: `link` lets one of them win, and both read what the winner wrote. */
function makeSecret(file: string): string {
  const draft = `${file}.${process.pid}`
  try {
    writeWhole(draft, `${randomBytes(32).toString('hex')}\n`)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readSecret(file) ?? makeSecret(file)
}

/** The text is on the disk before the file gets its name: a loss of power must not leave an empty secret. */
function writeWhole(file: string, text: string): void {
  const descriptor = openSync(file, 'w', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
