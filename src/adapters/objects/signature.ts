import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { UrlSignatures } from '../../ports/objects.js'

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
