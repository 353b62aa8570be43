import { isValidKey, readKeyId } from '../../contract/access.js'
import type { Route } from '../../contract/route.js'
import { SvcError } from '../../errors.js'
import type { ApiKey, KeyStore } from '../../ports/keys.js'

/** The time for which a key is cached. A revocation applies within it. */
const keyLifeMs = 500

/** Returns the key of a call, without a promise if it is cached, as it is for nearly every call. */
export type Authenticate = (authorization: string | null, now: number) => ApiKey | Promise<ApiKey>

/**
 * Authenticates a call by its key: a stored one, or `unstoredKey`. Throws `unauthorized`.
 * Source: gateway contract, 5.
 */
export function createAuthenticate(store: KeyStore, unstoredKey?: ApiKey): Authenticate {
  const known = new Map<string, { readonly key: ApiKey; readonly loadedAt: number }>()

  async function loadKey(text: string, id: string, now: number): Promise<ApiKey> {
    const key = id === unstoredKey?.id ? unstoredKey : await store.findKey(id)
    if (key === undefined) known.delete(id)
    else known.set(id, { key, loadedAt: now })
    return requireValid(text, key, now)
  }

  return (authorization, now) => {
    const text = readBearer(authorization)
    const id = readKeyId(text)
    if (id === undefined) return requireValid(text, undefined, now)
    const entry = known.get(id)
    // A clock that was set back must not extend an entry's life.
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

/** Returns the error of a retired route, and its machine-readable headers. Source: RFC 9745, RFC 8594, RFC 5829. */
export function describeRetired({ since, successor }: NonNullable<Route['retired']>) {
  const retiredAt = new Date(since)
  return {
    headers: {
      deprecation: `@${retiredAt.getTime() / 1000}`,
      sunset: retiredAt.toUTCString(),
      link: `<${successor}>; rel="successor-version"`,
    },
    error: new SvcError('gone', `This endpoint was retired on ${since}. Use ${successor} instead.`),
  }
}
