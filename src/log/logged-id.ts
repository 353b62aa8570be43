import { redactKeys } from './redact.js'

const callerIdShown = 200

/** Returns the ID under which the log has a call whose caller sent this text: truncated and redacted if it is unusable. */
export function toLoggedId(text: string): string {
  return isUsableId(text) ? text : redactKeys(text.trim().slice(0, callerIdShown))
}

/** True for 1 to 128 characters of `[A-Za-z0-9._-]` that are not an API key. */
export function isUsableId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/.test(text) && redactKeys(text) === text
}
