import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { SvcError } from '../../../errors.js'
import { installCommand, type ProviderEntry } from '../../../models/providers.js'

/**
 * Finds a provider's package next to the program or in the working folder, and returns its loader.
 * Throws `invalid_request` with the install command if it is missing or has an incompatible major version.
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

/** Returns the version of the package that contains a file. */
function readVersion(file: string, packageName: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      if (name === packageName) return version
    } catch {
      // Most folders of a package have no package.json.
    }
  }
  return undefined
}
