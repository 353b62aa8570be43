import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { findInstallationProblem, missing, root, Skipped } from './install.js'

const install = suite("installation of other people's tools")
const place = openTemporaryFolder()
install.after(() => place.close())

/** Nothing listens on this port, and nothing is in the cache. */
const offline = {
  ...process.env,
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_fetch_retries: '0',
  npm_config_cache: join(place.folder, 'cache'),
}
const packages = join(place.folder, 'packages')
mkdirSync(packages)
writeFileSync(join(packages, 'package.json'), JSON.stringify({ dependencies: { ulid: '3.0.2' } }))
const lock = { lockfileVersion: 3, packages: { 'node_modules/ulid': { version: '3.0.2' } } }
writeFileSync(join(packages, 'package-lock.json'), JSON.stringify(lock))

const tryInstallation = (source: string, CI: string) =>
  findInstallationProblem(source, relative(root, join(place.folder, 'installed')), { ...offline, CI })

const sources: [what: string, source: string][] = [
  ['a package', relative(root, packages)],
  ['each version of Node', 'test/lab/nodes'],
]
for (const [what, source] of sources) {
  install(`skips, or fails in CI, if the registry does not answer for ${what}`, () => {
    const message = /did not answer \(ECONNREFUSED\)/
    assert.match(tryInstallation(source, '') ?? '', message)
    assert.throws(() => tryInstallation(source, 'true'), message)
  })
}

install('fails in CI if a tool is missing, and skips its check elsewhere', () => {
  for (const CI of [undefined, '', 'false']) assert.instance(missing('no tool', { CI }), Skipped)
  for (const CI of ['true', '1']) assert.not.instance(missing('no tool', { CI }), Skipped)
})

install.run()
