import { isUtf8 } from 'node:buffer'
import { isUsableId, toLoggedId } from '../../log/redact.js'
import { createId } from '../../runtime/ids.js'

export interface RequestId {
  readonly id: string
  /** The rejected ID that the caller sent: truncated, for the log only. */
  readonly callerId?: string
}

/**
 * Returns the ID of a call: the caller's own if it has 1 to 128 characters of `[A-Za-z0-9._-]`, so that the logs of both
 * sides agree. An API key that was sent by mistake is rejected: IDs are stored where a key must not be.
 * @NOTE contract: the format is not shown; these characters are safe in a header, a log line and a shell.
 */
export function toRequestId(header: string | null): RequestId {
  if (header === null) return { id: createId('req_') }
  if (isUsableId(header)) return { id: header }
  return { id: createId('req_'), callerId: toLoggedId(decode(header)) }
}

/** Decodes a header, which Node gives as one character a byte: usually UTF-8, otherwise Latin-1. */
function decode(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : header
}

/**
 * Returns the `traceparent` of a call in the form of version 00, if it is valid. A later version may add parts, which are
 * dropped.
 * Source: W3C Trace Context, 3.2.
 */
export function readTraceparent(header: string | null): string | undefined {
  if (header === null) return undefined
  const [, version, traceId = '', spanId = '', flags, rest] = pattern.exec(header) ?? []
  const isValid = version !== undefined && version !== 'ff' && (version !== '00' || rest === undefined)
  return isValid && /[^0]/.test(traceId) && /[^0]/.test(spanId) ? `00-${traceId}-${spanId}-${flags}` : undefined
}

const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Callers use few addresses, and each is slow to parse. */
const originsKept = 100
const origins = new Map<string, string>()

/** Returns the origin of an address, as URLs write it. */
export function findOrigin(href: string): string {
  const base = href.slice(0, href.indexOf('/', 'https://'.length))
  let origin = origins.get(base)
  if (origin === undefined) {
    origin = new URL(base).origin
    if (origins.size >= originsKept) origins.clear()
    origins.set(base, origin)
  }
  return origin
}
