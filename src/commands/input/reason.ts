import { findSystemReason } from '../../errors.js'

/** Why the file system refused, in words. */
export function reasonOf(cause: unknown): string {
  return findSystemReason(cause) ?? (cause instanceof Error ? cause.message : String(cause))
}
