import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Pseudonyms } from '../ports.js'

/** A pet is asked about many times in a row (metrics, windows), and a hash costs as much as parsing its request. */
const hashesKept = 10_000

/**
 * Keyed hashes of IDs, with the secret of `file`, which is made on first use and readable by its owner alone.
 * Users and pets have contexts of their own, so that equal IDs do not show.
 */
export function openPseudonyms(file: string): Pseudonyms {
  const secret = createSecretKey(readSecret(file) ?? makeSecret(file), 'hex')
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
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Two processes may start at once: `link` lets one of them win, and both read what the winner wrote. */
function makeSecret(file: string): string {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8').trim()
}
