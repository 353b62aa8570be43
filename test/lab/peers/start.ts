/**
 * Runs the tools of other people that read our contract, against a server of the built program. `README.md` lists them. They are
 * installed into `.peers/`, with the versions of this folder's lock file; without the registry, all are skipped, but in CI they
 * fail.
 * `npm run test:peers -- schemas` runs the checks whose name has the word.
 */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSvc } from '../../helpers/svc.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { clientChecks } from './clients.js'
import { documentChecks } from './document.js'
import { findInstallationProblem, root, Skipped } from './install.js'
import { proxyChecks } from './proxy.js'
import { sarifChecks } from './sarif.js'
import { schemaChecks } from './schemas.js'
import type { Check, Peers } from './tools.js'

const words = process.argv.slice(2)
const checks: Readonly<Record<string, Check>> = {
  ...documentChecks,
  ...schemaChecks,
  ...sarifChecks,
  ...clientChecks,
  ...proxyChecks,
}
const problem = findInstallationProblem('test/lab/peers', '.peers')
if (problem === undefined) await runAll()
else process.stdout.write(`skipped: ${problem}\n`)

async function runAll(): Promise<void> {
  const place = openTemporaryFolder()
  // Programs that a check writes find the packages of the tools.
  symlinkSync(join(root, '.peers/node_modules'), join(place.folder, 'node_modules'))
  const dataDir = join(place.folder, 'data')
  const server = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir], {
    SVC_POLL_AFTER_SECONDS: '1',
  })
  const { url } = JSON.parse(await server.nextLine()) as { url: string }
  const document = join(place.folder, 'openapi.json')
  writeFileSync(document, await (await fetch(`${url}/openapi.json`)).text())
  const key = readFileSync(join(dataDir, 'local.key'), 'utf8').trim()
  const peers: Peers = { folder: place.folder, url, key, document }
  for (const [name, check] of Object.entries(checks)) {
    if (words.length === 0 || words.some((word) => name.includes(word))) await run(name, check, peers)
  }
  server.child.kill('SIGTERM')
  await server.ended
  place.close()
}

async function run(name: string, check: Check, peers: Peers): Promise<void> {
  const started = performance.now()
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`
  try {
    const note = await check(peers)
    process.stdout.write(`ok: ${name}${typeof note === 'string' ? `: ${note}` : ''} (${seconds()})\n`)
  } catch (error) {
    if (error instanceof Skipped) process.stdout.write(`skipped: ${name}: ${error.message}\n`)
    else {
      process.stdout.write(`FAILED: ${name} (${seconds()})\n${error instanceof Error ? error.message : error}\n`)
      process.exitCode = 1
    }
  }
}
