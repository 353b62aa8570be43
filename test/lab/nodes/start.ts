/**
 * Installs the packed program with each version of Node that it supports, and uses it: it reads payloads, writes keys, and makes
 * a picture from a photo, with the database and the drawings of that version. Needs Linux on x64; without the registry, all is
 * skipped, but fails in CI.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
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
  // Without scripts, since compiling the driver of Node 20 takes a minute; the one that was compiled for this checkout fits.
  start('npm', [
    'install',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    tarball,
  ])
  const drivers = readdirSync(join(folder, 'node_modules')).filter((one) => one.startsWith('better-sqlite3'))
  const expected = name === 'node20' ? ['better-sqlite3'] : ['better-sqlite3', 'better-sqlite3-node22']
  // npm says nothing of an optional package that it could not download.
  if (drivers.join() !== expected.join()) throw new Error(`npm installed ${drivers}, not ${expected}`)
  const [major = ''] = start('node', ['-p', 'process.versions.node']).split('.')
  const driver = 'node_modules/better-sqlite3/build'
  if (major === process.versions.node.split('.')[0] && existsSync(join(root, driver))) {
    cpSync(join(root, driver), join(folder, driver), { recursive: true })
  }
  const fixtures = join(folder, 'node_modules/svc/fixtures')
  const svc = (...args: readonly string[]) => start('node', [join(folder, 'node_modules/svc/bin/svc.js'), ...args])
  svc('validate', join(fixtures, 'insight'))
  svc('key', 'create', '--name', 'local', '--admin', '--keep', '--data-dir', 'data', '--json')
  const photo = join(fixtures, 'photos/dog.jpg')
  const flags = ['--species', 'dog', '--pose', 'lying', '--wait', '--out', 'pictures', '--data-dir', 'data', '--json']
  svc('avatar', 'generate', photo, ...flags)
  if (readdirSync(join(folder, 'pictures')).length === 0) throw new Error('no picture was saved')
  const caller = "import('svc').then(async ({ loadInsightCopy }) => { await loadInsightCopy() })"
  start('node', ['--eval', caller])
  return `Node ${start('node', ['--version']).trim()}, with ${drivers.join(' and ')}`
}

/** Runs a program to its end, with the Node of a folder. Throws what it prints if it fails. */
function run(command: string, args: readonly string[], cwd: string, bin = dirname(process.execPath)): string {
  // npm passes its settings to the scripts that it runs. NODE_EXTRA_CA_CERTS stays: npm may need it to reach the registry.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_(PATH|OPTIONS|ENV)$)/i.test(name))
  const env = { ...Object.fromEntries(own), PATH: `${bin}:${process.env.PATH}` }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout.slice(-4000)}${stderr.slice(-4000)}`)
  return stdout
}
