import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'
import { SvcError } from '../../../errors.js'
import { shippedUrl } from '../../../runtime/entry.js'
import { ifInstalled } from '../../../runtime/reason.js'

export type Connection = BetterSqlite3.Database

/** Finds packages of svc, and before them the driver that `bin/install.js` has installed. */
const require = createRequire(shippedUrl('.driver/'))
const nodeMajor = Number.parseInt(process.versions.node, 10)

/** The versions of Node by the number of their binary interface, which the error of another one names. */
const nodeByInterface: Readonly<Record<string, number>> = { 108: 18, 115: 20, 127: 22, 137: 24, 147: 26 }

/**
 * better-sqlite3 12 runs on Node 20, but aborts Node 24 (24.19 and later) when a statement is garbage collected; 13 needs
 * Node 22. The package manager installs version 13 under another name where it runs. Version 12 is not a dependency: npm
 * leaves out an optional package only by its own `engines`, which name every Node from 20 on. `bin/install.js` installs it on Node 20.
 */
export const Database = loadDriver()

/** Loads the driver with its binary. Throws `internal_error` if that is for another Node than this one, or missing. */
function loadDriver(): typeof BetterSqlite3 {
  try {
    const newer = nodeMajor >= 22 ? ifInstalled(() => require('better-sqlite3-node22')) : undefined
    const driver: typeof BetterSqlite3 = newer ?? require('better-sqlite3')
    // The binary is loaded with the first database.
    new driver(':memory:').close()
    return driver
  } catch (error) {
    const installed = nodeByInterface[/NODE_MODULE_VERSION (\d+)/.exec(String(error))?.[1] ?? '']
    const problem =
      installed === undefined
        ? `The SQLite driver of svc cannot be loaded with Node ${nodeMajor}`
        : `svc was installed for Node ${installed}, and this is Node ${nodeMajor}`
    throw new SvcError(
      'internal_error',
      `${problem}: run "npm ci" in the folder of svc, or install its package again.`,
      { cause: error },
    )
  }
}
