import { closeSync, openSync } from 'node:fs'
import { findSystemReason } from '../errors.js'

/** Describes why the file system refused. */
export function reasonOf(cause: unknown): string {
  return findSystemReason(cause) ?? (cause instanceof Error ? cause.message : String(cause))
}

/** Returns the reason if no more files can be opened: SQLite gives the same error for a broken disk. */
export function findFileShortage(): string | undefined {
  const descriptors: number[] = []
  try {
    // SQLite closed its own few when it failed.
    while (descriptors.length < 4) descriptors.push(openSync(process.execPath, 'r'))
    return undefined
  } catch (error) {
    return isFileShortage(error) ? findSystemReason(error) : undefined
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor)
  }
}

export function isFileShortage(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes(codeOf(error))
}

/** Returns the code of an error of the system or of a library, or an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Loads a package that is optional. Returns undefined if it is not installed. */
export function ifInstalled<T>(load: () => T): T | undefined {
  try {
    return load()
  } catch (error) {
    if (codeOf(error) === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
