import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runNode } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const prepare = suite('prepare')
const place = openTemporaryFolder()
const script = join(place.folder, 'src/build/prepare.cjs')
prepare.before(() => {
  mkdirSync(join(place.folder, 'src/build'), { recursive: true })
  cpSync(fileURLToPath(new URL('../../src/build/prepare.cjs', import.meta.url)), script)
})
prepare.after(place.close)

prepare('says what to do if --omit=dev left out the build', () => {
  const { status, stderr } = runNode([script])
  assert.is(status, 1)
  assert.match(stderr, 'Run "npm ci", then "npm prune --omit=dev"')
})

prepare('keeps a build that is there', () => {
  place.write('dist/cli.cjs', '')
  assert.equal(runNode([script]), { status: 0, stdout: '', stderr: '' })
})

prepare('compiles the driver that npm left out, and says what it needs if that fails', () => {
  const driver = (script: string) => JSON.stringify({ name: 'better-sqlite3', scripts: { install: script } })
  const binary =
    "require('fs').mkdirSync('build/Release',{recursive:true});require('fs').writeFileSync('build/Release/better_sqlite3.node',process.env.CFLAGS)"
  place.write('node_modules/better-sqlite3/package.json', driver('echo no compiler && exit 3'))
  const failed = runNode([script])
  assert.is(failed.status, 1)
  assert.match(
    failed.stderr,
    /no compiler[\s\S]*SQLite could not be compiled: it needs Python, make and a C\+\+ compiler\.\n$/,
  )
  place.write('node_modules/better-sqlite3/compile.cjs', binary)
  place.write('node_modules/better-sqlite3/package.json', driver('node compile.cjs'))
  // Ten seconds are a millisecond here; npm alone takes longer.
  place.write(
    'hasten.cjs',
    'const { setInterval: set } = globalThis; globalThis.setInterval = (f, ms) => set(f, ms / 10000)',
  )
  const env = { npm_package_config_sqliteFlags: '-DLESS' }
  const compiled = runNode(['--require', join(place.folder, 'hasten.cjs'), script], { env })
  assert.equal([compiled.status, compiled.stderr], [0, ''])
  const made = readFileSync(join(place.folder, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'), 'utf8')
  assert.is(made, '-DLESS')
  assert.match(
    compiled.stdout,
    /^Compiling SQLite .*\n(Compiling SQLite, \d+ s so far\.\n)+SQLite is ready after \d+ s\.\n$/,
  )
  assert.equal(runNode([script]), { status: 0, stdout: '', stderr: '' })
})

prepare('builds while it compiles, and finishes after both', () => {
  // The build waits for the file that the compilation writes, and the compilation for that of the build.
  const meet = (own: string, other: string) =>
    `const fs = require('fs'); fs.writeFileSync('${own}', ''); const until = Date.now() + 60000; (function wait() { if (fs.existsSync('${other}')) process.exit(0); if (Date.now() > until) process.exit(9); setImmediate(wait) })()`
  const [mine, theirs] = [join(place.folder, 'building'), join(place.folder, 'compiling')]
  rmSync(join(place.folder, 'node_modules/better-sqlite3/build'), { recursive: true })
  place.write('node_modules/tsx/package.json', '{}')
  place.write('build.cjs', meet(mine, theirs))
  place.write('finish.cjs', `require('fs').writeFileSync('finished', String(require('fs').existsSync('compiling')))`)
  place.write(
    'package.json',
    JSON.stringify({ name: 'svc', scripts: { 'build:bundles': 'node build.cjs', 'build:finish': 'node finish.cjs' } }),
  )
  place.write('node_modules/better-sqlite3/compile.cjs', meet(theirs, mine))
  const { status, stderr } = runNode([script])
  assert.equal([status, stderr], [0, ''])
  assert.is(readFileSync(join(place.folder, 'finished'), 'utf8'), 'true')
})

prepare.run()
