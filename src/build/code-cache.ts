import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Script } from 'node:vm'

/**
 * Writes `dist/*.cjs.cache` for the bundles that `svc validate` runs, which bin/load.js hands to V8. The command runs
 * once for it over the shipped fixtures, because V8 keeps only functions that it has compiled by then.
 */
export async function writeCodeCaches(root: URL): Promise<void> {
  const require = createRequire(import.meta.url)
  const toPath = (path: string) => fileURLToPath(new URL(path, root))
  const scripts: Map<string, Script> = require(toPath('bin/load.js')).loadCached()
  await require(toPath('dist/cli.cjs')).main(['node', 'svc', 'validate', '--quiet', toPath('fixtures/insight')])
  for (const [file, script] of scripts) writeFileSync(`${file}.cache`, script.createCachedData())
}
