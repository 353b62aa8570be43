import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

const hostCharactersAtMost = 32

/**
 * Creates the name of this process among those of all machines: its host, its process ID, and random digits, because a
 * container that starts again may have the same host and process ID.
 */
export function createInstanceName(): string {
  const host = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, hostCharactersAtMost)
  return `${host}-${process.pid}-${randomBytes(5).toString('hex')}`
}
