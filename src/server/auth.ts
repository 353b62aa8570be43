import { isValidKey, readKeyId } from '../access.js'
import { SvcError } from '../errors.js'
import type { ApiKey, KeyStore } from '../ports.js'

/** How long a key is believed without asking the database: a revocation applies within this time. */
const keyLifeMs = 500

export type Authenticate = (authorization: string | null, now: number) => Promise<ApiKey>

/** Finds out which key is calling. Throws `unauthorized`. Source: gateway contract, 5. */
export function createAuthenticate(store: KeyStore): Authenticate {
  const known = new Map<string, { readonly key: ApiKey; readonly loadedAt: number }>()

  async function findKey(id: string, now: number): Promise<ApiKey | undefined> {
    const entry = known.get(id)
    // A clock that was set back must not make an entry live longer.
    if (entry !== undefined && Math.abs(now - entry.loadedAt) < keyLifeMs) return entry.key
    const key = await store.findKey(id)
    if (key === undefined) known.delete(id)
    else known.set(id, { key, loadedAt: now })
    return key
  }

  return async (authorization, now) => {
    const text = readBearer(authorization)
    const id = readKeyId(text)
    const key = id === undefined ? undefined : await findKey(id, now)
    if (key === undefined || !isValidKey(text, key, now)) {
      throw new SvcError('unauthorized', 'The API key is not valid.')
    }
    return key
  }
}

function readBearer(authorization: string | null): string {
  const match = authorization === null ? null : /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization)
  if (match?.[1] !== undefined) return match[1]
  throw new SvcError('unauthorized', 'An API key is needed: send the header "Authorization: Bearer <API_KEY>".')
}
