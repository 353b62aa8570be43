import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { UrlSignatures } from '../../ports/objects.js'

/** The same secret signs other things too: what is signed here is nothing there. */
const context = 'object-url'
/** Signatures kept: callers ask for the same task again and again. */
const signaturesKept = 10_000
/** Addresses made within so long are equal, so that caches of callers work. */
const stepSecondsAtMost = 3600
const stepsPerLife = 24

/** Addresses that live for `ttlSeconds`, or up to a 24th more. Source: gateway contract, 1. */
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
      // A second spelling of the same bytes is no signature of ours.
      const isOurs = given.length === wanted.length && timingSafeEqual(given, wanted)
      return isOurs && given.toString('base64url') === signature && Number(expires) * 1000 > now.getTime()
    },
  }
}
