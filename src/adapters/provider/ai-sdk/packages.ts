import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { SvcError } from '../../../errors.js'
import { installCommand, type ProviderEntry } from '../../../ports/models.js'

/**
 * Finds a provider's package beside the program or from the working folder, where an operator may have put it; gives what
 * loads it. Throws `invalid_request` that says how to install it, also in place of a release that the SDK does not take.
 */
export function findPackage(
  { packageName, major }: Pick<ProviderEntry, 'packageName' | 'major'>,
  alias: string,
  places: readonly string[] = [import.meta.url, join(process.cwd(), 'package.json')],
): () => unknown {
  const install = installCommand({ packageName, major })
  for (const place of places) {
    const require = createRequire(place)
    const path = resolve(require, packageName)
    if (path === undefined) continue
    const version = readVersion(path, packageName)
    if (version?.split('.')[0] === String(major)) return () => require(path)
    const found = `${packageName} ${version ?? 'of an unknown version'} is installed`
    throw new SvcError('invalid_request', `${alias} needs ${packageName} ${major}, and ${found}: ${install}`)
  }
  throw new SvcError('invalid_request', `${alias} needs the package ${packageName}, which is not installed: ${install}`)
}

function resolve(require: NodeJS.Require, packageName: string): string | undefined {
  try {
    return require.resolve(packageName)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** The version of the package that a file is part of. */
function readVersion(file: string, packageName: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      if (name === packageName) return version
    } catch {
      // Few folders of a package describe it.
    }
  }
  return undefined
}
