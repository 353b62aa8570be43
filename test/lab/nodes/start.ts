/**
 * Installs the packed program with each version of Node that it supports, and uses it: it reads payloads, writes keys, and makes
 * a picture from a photo, with the database and the drawings of that version. The scripts of the packages run. Needs Linux on x64; without the registry, all is
 * skipped, but fails in CI.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { findInstallationProblem, root } from '../peers/install.js'

const versions = ['node20', 'node22', 'node24']
const problem =
  process.platform === 'linux' && process.arch === 'x64'
    ? findInstallationProblem('test/lab/nodes', '.nodes')
    : `Node is pinned for Linux on x64, not for ${process.platform} on ${process.arch}`
if (problem === undefined) tryAll()
else process.stdout.write(`skipped: ${problem}\n`)

function tryAll(): void {
  const place = openTemporaryFolder()
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', place.folder], root)
  const tarball = join(place.folder, readdirSync(place.folder).find((file) => file.endsWith('.tgz')) ?? '')
  for (const version of versions) {
    try {
      process.stdout.write(`ok: ${tryNode(version, tarball, join(place.folder, version))}\n`)
    } catch (error) {
      process.stdout.write(`FAILED: ${version}\n${error instanceof Error ? error.message : error}\n`)
      process.exitCode = 1
    }
  }
  place.close()
}

/** Returns what was used. */
function tryNode(name: string, tarball: string, folder: string): string {
  const bin = join(root, '.nodes/node_modules', name, 'bin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'caller', private: true }))
  const start = (command: string, args: readonly string[]) => run(command, args, folder, bin)
  const startedAt = performance.now()
  start('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', tarball])
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const places = ['node_modules', 'node_modules/svc/.driver/node_modules'].map((place) => join(folder, place))
  const drivers = places
    .flatMap((place) => (existsSync(place) ? readdirSync(place) : []))
    .filter((one) => one.startsWith('better-sqlite3'))
  const expected = name === 'node20' ? 'better-sqlite3' : 'better-sqlite3-node22'
  // npm says nothing of an optional package that it could not download.
  if (drivers.join() !== expected) throw new Error(`npm installed ${drivers}, not ${expected}`)
  const fixtures = join(folder, 'node_modules/svc/fixtures')
  const svc = (...args: readonly string[]) => start(join(folder, 'node_modules/.bin/svc'), args)
  svc('validate', join(fixtures, 'insight'))
  const rendered = svc('insight', 'render', join(fixtures, 'insight'))
  for (const locale of ['en-US', 'zh-CN', 'es'])
    if (!new RegExp(`^ {2}${locale} +\\S`, 'm').test(rendered)) throw new Error(`no text in ${locale}`)
  svc('key', 'create', '--name', 'local', '--admin', '--keep', '--data-dir', 'data', '--json')
  const photo = join(fixtures, 'photos/dog.jpg')
  const flags = ['--species', 'dog', '--pose', 'lying', '--wait', '--out', 'pictures', '--data-dir', 'data', '--json']
  svc('avatar', 'generate', photo, ...flags)
  if (readdirSync(join(folder, 'pictures')).length === 0) throw new Error('no picture was saved')
  const caller = "import('svc').then(async ({ loadInsightCopy }) => { await loadInsightCopy() })"
  start('node', ['--eval', caller])
  return `Node ${start('node', ['--version']).trim()}, with ${expected}, installed in ${seconds} s`
}

/** Runs a program to its end, with the Node of a folder. Throws what it prints if it fails. */
function run(command: string, args: readonly string[], cwd: string, bin = dirname(process.execPath)): string {
  // npm passes its settings to the scripts that it runs. NODE_EXTRA_CA_CERTS stays: npm may need it to reach the registry.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_(PATH|OPTIONS|ENV)$)/i.test(name))
  // Where nothing is compiled, no compiler may be asked for.
  const broken = bin.includes('node20') || bin === dirname(process.execPath) ? {} : { CC: 'false', CXX: 'false' }
  const env = { ...Object.fromEntries(own), ...broken, PATH: `${bin}:${process.env.PATH}` }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 600_000 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout.slice(-4000)}${stderr.slice(-4000)}`)
  return stdout
}
