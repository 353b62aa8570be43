import { isValidKey, readKeyId } from '../access.js'
import { SvcError } from '../errors.js'
import type { ApiKey, KeyStore } from '../ports.js'

/** How long a key is believed without asking the database: a revocation applies within this time. */
const keyLifeMs = 500

/** The key that is calling: at once where it is known, since nearly every call comes with a key that was just seen. */
export type Authenticate = (authorization: string | null, now: number) => ApiKey | Promise<ApiKey>

/** Finds out which key is calling. Throws `unauthorized`. Source: gateway contract, 5. */
export function createAuthenticate(store: KeyStore): Authenticate {
  const known = new Map<string, { readonly key: ApiKey; readonly loadedAt: number }>()

  async function loadKey(text: string, id: string, now: number): Promise<ApiKey> {
    const key = await store.findKey(id)
    if (key === undefined) known.delete(id)
    else known.set(id, { key, loadedAt: now })
    return requireValid(text, key, now)
  }

  return (authorization, now) => {
    const text = readBearer(authorization)
    const id = readKeyId(text)
    if (id === undefined) return requireValid(text, undefined, now)
    const entry = known.get(id)
    // A clock that was set back must not make an entry live longer.
    const isFresh = entry !== undefined && Math.abs(now - entry.loadedAt) < keyLifeMs
    return isFresh ? requireValid(text, entry.key, now) : loadKey(text, id, now)
  }
}

function requireValid(text: string, key: ApiKey | undefined, now: number): ApiKey {
  if (key !== undefined && isValidKey(text, key, now)) return key
  throw new SvcError('unauthorized', 'The API key is not valid.')
}

function readBearer(authorization: string | null): string {
  const match = authorization === null ? null : /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization)
  if (match?.[1] !== undefined) return match[1]
  throw new SvcError('unauthorized', 'An API key is needed: send the header "Authorization: Bearer <API_KEY>".')
}
