import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'

export type Connection = BetterSqlite3.Database

const require = createRequire(import.meta.url)
const nodeMajor = Number.parseInt(process.versions.node, 10)

/**
 * better-sqlite3 12 runs on Node 20, but aborts Node 24 (24.19 and later) when a statement is garbage collected; 13 needs
 * Node 22. The package manager installs version 13 under another name where it runs. Version 12 is installed there, too: npm
 * leaves out an optional package only by the `engines` of the package itself, and those of version 12 name every Node from 20 on.
 */
export const Database: typeof BetterSqlite3 =
  (nodeMajor >= 22 ? findNewer() : undefined) ?? (require('better-sqlite3') as typeof BetterSqlite3)

/** Returns undefined if optional packages are not installed. */
function findNewer(): typeof BetterSqlite3 | undefined {
  try {
    return require('better-sqlite3-node22') as typeof BetterSqlite3
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
