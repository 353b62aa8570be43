import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SvcError } from '../../../errors.js'
import type { Vendor } from './vendor.js'

/**
 * Finds a vendor's package beside the program or from the working folder, where an operator may have put it.
 * Throws `invalid_request` that says how to install it.
 */
export function findPackage(
  { packageName, range }: Pick<Vendor, 'packageName' | 'range'>,
  alias: string,
): () => unknown {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    const require = createRequire(from)
    try {
      const path = require.resolve(packageName)
      return () => require(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new SvcError(
    'invalid_request',
    `${alias} needs the package ${packageName}, which is not installed: npm install ${packageName}@${range}`,
  )
}
