import { findSystemReason } from '../errors.js'

/** Describes why the file system refused. */
export function reasonOf(cause: unknown): string {
  return findSystemReason(cause) ?? (cause instanceof Error ? cause.message : String(cause))
}
