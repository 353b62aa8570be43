/** Writes what needs the bundles and the driver of SQLite: the code caches. Then the build is complete. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Script } from 'node:vm'
import { writeStamp } from './stamp.js'

type Main = (argv: readonly string[]) => Promise<void>

/**
 * Writes a code cache, for the version of Node that builds, next to the bundles of `svc validate` and `svc serve`; bin/load.js passes
 * them to V8. V8 caches only functions that are compiled by then, so both commands run once: over one payload, since what all of
 * them need takes 5 % longer to load, and up to a first response.
 */
async function writeCodeCaches(root: URL): Promise<void> {
  const require = createRequire(import.meta.url)
  const toPath = (path: string) => fileURLToPath(new URL(path, root))
  const { loadCached, toCacheFile } = require(toPath('bin/load.js')) as {
    loadCached(): Map<string, Script>
    toCacheFile(file: string): string
  }
  const scripts = loadCached()
  const { main } = require(toPath('dist/cli.cjs')) as { main: Main }
  await main(['node', 'svc', 'validate', '--quiet', toPath('fixtures/insight/ACTIVITY_DAY_HIGH.json')])
  await serveOnce(main)
  for (const [file, script] of scripts) writeFileSync(toCacheFile(file), script.createCachedData())
}

/** Runs the server on a temporary data directory until it has answered, and stops it as a signal would. */
async function serveOnce(main: Main): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-'))
  const { write } = process.stdout
  const ready = new Promise<string>((resolve) => {
    process.stdout.write = (text: string | Uint8Array) => {
      resolve(String(text))
      return true
    }
  })
  const served = main(['node', 'svc', 'serve', '--port', '0', '--json', '--data-dir', folder])
  // A server that fails to start reports it on standard error, and prints nothing here.
  const line = await Promise.race([ready, served])
  process.stdout.write = write
  if (line === undefined) return
  await (await fetch(`${JSON.parse(line).url}/health`)).text()
  process.emit('SIGTERM')
  await served
  rmSync(folder, { recursive: true, force: true })
}

// The server must not use the database or the bucket of the person who builds.
for (const name of Object.keys(process.env)) if (name.startsWith('SVC_')) delete process.env[name]
await writeCodeCaches(new URL('../../', import.meta.url))
writeStamp()
