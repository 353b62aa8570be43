import { isUtf8 } from 'node:buffer'
import { isUsableId, toLoggedId } from '../../log/logged-id.js'
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
