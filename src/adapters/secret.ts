import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { findSystemReason, isSvcError, SvcError } from '../errors.js'
import type { UrlSignatures } from '../ports/objects.js'
import type { Pseudonyms } from '../ports/store.js'
import { draftOf, syncToDisk, writeDurably } from '../runtime/durable-files.js'

/** Callers ask about a pet many times in a row (metrics, windows), and a hash costs as much as parsing the request. */
const hashesKept = 10_000

/**
 * Reads the secret of `file`, which is created on first use, readable by its owner only. Each use of the secret hashes under
 * its own context, such as `user\0`.
 * Throws `unavailable` if the file holds anything else: hashes without a secret could be guessed.
 */
export function openSecret(file: string): KeyObject {
  return toSecret(findText(file) ?? makeSecret(file))
}

/** Reads the secret of a file. Throws `invalid_request` if it cannot be read, `unavailable` if it holds anything else. */
export function readSecret(file: string): KeyObject {
  try {
    return toSecret(readText(file, '`openssl rand -hex 32` prints them'))
  } catch (cause) {
    if (isSvcError(cause)) throw cause
    const reason = findSystemReason(cause) ?? 'it cannot be read'
    throw new SvcError('invalid_request', `Cannot read the secret in ${file}: ${reason}.`, { cause })
  }
}

/** Returns the secret of `file`; undefined if the file does not exist. Throws `unavailable` if it holds anything else. */
export function findStoredSecret(file: string): KeyObject | undefined {
  const text = findText(file)
  return text === undefined ? undefined : toSecret(text)
}

/** Writes a secret into a new file, readable by its owner only. */
export function storeSecret(file: string, secret: KeyObject): void {
  writeDurably(file, `${secret.export().toString('hex')}\n`)
  syncToDisk(dirname(file))
}

/** Converts 64 hexadecimal digits. */
export function toSecret(text: string): KeyObject {
  return createSecretKey(text, 'hex')
}

/** Returns a short text that is the same for the same secret and reveals nothing of it. */
export function fingerprintOf(secret: KeyObject): string {
  return createHmac('sha256', secret).update('fingerprint\0').digest('hex').slice(0, 16)
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

function findText(file: string): string | undefined {
  try {
    return readText(file, 'restore a copy of it, or delete it; IDs then get new hashes')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function readText(file: string, advice: string): string {
  const text = readFileSync(file, 'utf8').trim()
  if (/^[0-9a-f]{64}$/.test(text)) return text
  throw new SvcError('unavailable', `${file} must hold 64 hexadecimal digits: ${advice}.`)
}

/** Two processes may start at once: `link` succeeds for one of them, and both read its secret. */
function makeSecret(file: string): string {
  const draft = draftOf(file)
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
  const text = findText(file)
  if (text !== undefined) return text
  throw new SvcError(
    'unavailable',
    `${file} is a link to a file that does not exist. Make that file, or remove the link.`,
  )
}

/** Separates these signatures from others made with the same secret. */
const context = 'object-url'
/** Cached signatures: callers request the same task repeatedly. */
const signaturesKept = 10_000
/** URLs made within this time are equal, so that callers' caches work. */
const stepSecondsAtMost = 3600
const stepsPerLife = 24

/** Creates URLs that are valid for `ttlSeconds`, or up to a 24th longer. Source: gateway contract, 1. */
export function createUrlSignatures(secret: KeyObject, ttlSeconds: number): UrlSignatures {
  const step = Math.min(stepSecondsAtMost, Math.max(1, Math.floor(ttlSeconds / stepsPerLife)))
  const signatureOf = (key: string, expires: string) =>
    createHmac('sha256', secret).update(`${context}\0${expires}\0${key}`).digest()

  const known = new Map<string, { readonly expires: number; readonly query: string }>()
  function sign(key: string, expires: number): string {
    const kept = known.get(key)
    if (kept?.expires === expires) return kept.query
    if (known.size >= signaturesKept) known.clear()
    const query = `expires=${expires}&signature=${signatureOf(key, String(expires)).toString('base64url')}`
    known.set(key, { expires, query })
    return query
  }

  return {
    sign(key, base, now) {
      const expires = Math.ceil((now.getTime() / 1000 + ttlSeconds) / step) * step
      return `${base}/objects/${key}?${sign(key, expires)}`
    },
    isValid(key, { expires, signature }, now) {
      const given = Buffer.from(signature, 'base64url')
      const wanted = signatureOf(key, expires)
      // Another encoding of the same bytes is rejected.
      const isOurs = given.length === wanted.length && timingSafeEqual(given, wanted)
      return isOurs && given.toString('base64url') === signature && Number(expires) * 1000 > now.getTime()
    },
  }
}
