import { isUtf8 } from 'node:buffer'
import { createId } from '../ids.js'
import { redactKeys } from '../log/redact.js'

const callerIdShown = 200

export interface RequestId {
  readonly id: string
  /** What the caller sent instead, where it could not be used: shortened, for the log alone. */
  readonly callerId?: string
}

/**
 * The ID of a call: the caller's own where it is 1 to 128 of `[A-Za-z0-9._-]`, so that the logs of both sides agree.
 * An API key sent by mistake is none: the ID is kept in places where no key may stand.
 * @NOTE contract: the form is not shown; these characters are safe in a header, a log line and a shell.
 */
export function toRequestId(header: string | null): RequestId {
  if (header === null) return { id: createId('req_') }
  if (isUsable(header)) return { id: header }
  return { id: createId('req_'), callerId: toKept(decode(header)) }
}

/** The ID under which the log has a call whose caller sent this text. */
export function toLoggedId(text: string): string {
  return isUsable(text) ? text : toKept(text)
}

function isUsable(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/.test(text) && redactKeys(text) === text
}

/** Headers come as one character a byte, whatever the caller meant by them: mostly UTF-8, or else Latin-1. */
function decode(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : header
}

function toKept(text: string): string {
  return redactKeys(text.trim().slice(0, callerIdShown))
}
