const prefix = 'moving '

/** Returns what a database has in place of the fingerprint of its secret while it is filled: no process starts on it. */
export function toUnfinished(fingerprint: string): string {
  return prefix + fingerprint
}

/** True if a database is being filled, or that was interrupted. */
export function isUnfinished(fingerprint: string): boolean {
  return fingerprint.startsWith(prefix)
}
