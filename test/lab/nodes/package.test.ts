// run: only if named
/** Tests the program as npm installs it. Needs the npm registry. */
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const pack = suite('packed program')
const root = fileURLToPath(new URL('../../..', import.meta.url))
const { folder, close } = openTemporaryFolder()
const installed = join(folder, 'node_modules/svc')
// npm hands its own settings down to the scripts it runs, this one among them; a fresh npm has none of them.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))

function run(command: string, args: readonly string[], cwd = folder) {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8', env })
  return { status, stderr, stdout }
}

pack.before(() => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'caller', private: true, type: 'module' }))
  // `--install-links` packs the folder as `npm pack` does, and installs the package.
  const options = ['--install-links', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  const installation = run('npm', ['install', ...options, root])
  assert.is(installation.status, 0, installation.stderr)
})

pack.after(close)

pack('travels with its texts and fixtures, and without its sources and tests', () => {
  assert.not.ok(lstatSync(installed).isSymbolicLink())
  for (const name of ['bin', 'dist', 'catalog', 'fixtures', 'README.md', 'LICENSE']) {
    assert.ok(existsSync(join(installed, name)), `${name} is missing`)
  }
  for (const name of ['src', 'test', '.ci'])
    assert.not.ok(existsSync(join(installed, name)), `${name} must stay at home`)
  const licenses = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  assert.match(licenses, /^commander \d/m)
  assert.match(licenses, /^@fontsource\/fraunces \d[\s\S]{0,300}SIL Open Font License/m)
})

pack('brings along the packages that carry files of their own, and no more', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.equal(Object.keys(dependencies), ['h264-mp4-encoder', 'sharp', 'typebox'])
  assert.equal(Object.keys(optionalDependencies), ['better-sqlite3-node22'])
})

const caller = `
import { explain, generate, type HealthDetailPayload, loadInsightCopy, payloadSchema, rules, validate } from 'svc'
import { readFileSync } from 'node:fs'
const payload: HealthDetailPayload = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const copy = await loadInsightCopy()
const { errors } = validate(payload)
const name: string = payload.petProfile.name
console.log(JSON.stringify({
  errors: errors.length, name, rules: rules.length > 40, schema: String(payloadSchema['$schema']),
  summary: generate(payload, { copy, locale: 'es' }).summary, condition: explain(payload, { copy }).condition,
}))
`

pack('is imported by a TypeScript caller, with its types', () => {
  writeFileSync(join(folder, 'caller.ts'), caller)
  // Several threads would check the types that they share several times.
  const options = '--singleThreaded --strict --module nodenext --target es2023 --lib es2023 --types node'.split(' ')
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const types = ['--typeRoots', join(root, 'node_modules/@types')]
  const typed = run(process.execPath, [tsc, ...options, ...types, 'caller.ts'])
  assert.is(typed.status, 0, typed.stdout)
  const fixture = join(installed, 'fixtures/insight/REST_NIGHT_GOOD.json')
  const { status, stderr, stdout } = run(process.execPath, ['caller.js', fixture])
  assert.is(status, 0, stderr)
  const said = JSON.parse(stdout)
  assert.is(said.errors, 0)
  assert.is(said.schema, 'https://json-schema.org/draft/2020-12/schema')
  assert.match(said.summary, /\w+\.$/)
})

pack.run()
