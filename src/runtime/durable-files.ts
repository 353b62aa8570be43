import { closeSync, fsyncSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes a file's content, or the names in a folder, survive a power loss. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes all that a folder contains survive a power loss. Its own name is durable after its parent is synced. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else syncToDisk(path)
  }
  syncToDisk(folder)
}

/** Writes a file that only its owner can read, and syncs its content. Its name is durable after its folder is synced. */
export function writeDurably(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600, flush: true })
}
