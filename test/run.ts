/**
 * Runs every `*.test.ts` below this folder, in two more processes at once than the machine has cores, as many files wait
 * for processes and servers, and in one for those that do little else. Each process runs one file after another: to start
 * one and to load the sources takes more CPU time than most files. Ends with `N passed, N failed`.
 * `npm test -- insight` runs the files whose path contains the word.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { compiledFolder, compileTests } from './compile.js'
import { fleetFolders, folderFiles, otherSuites } from './fleet-files.js'
import { fleetVariable } from './helpers/fleet-folder.js'
import { findPostgres, serverVariable, startPostgres } from './helpers/postgres.js'
import { findMemoryFolder, openTemporaryFolder } from './helpers/temporary.js'
import type { FileResult } from './result.js'
import { type Runner, startRunner } from './runner.js'

/** The files that take longest begin first, whether they work or wait, so that no core is idle while the last one runs. */
const longFiles = [
  'pages/review-served',
  'cli/kill',
  'server/drill',
  'pages/api-docs',
  'copydesk/single-edits',
  'copydesk/planted-faults',
  'pages/demo',
  'pages/demo-steps',
  'cli/insight-review',
  'cli/insight-check',
  'pages/docs',
  'cli/demo',
  'pages/review',
  'cli/pictures',
  'cli/doctor',
  'copydesk/examples/examples',
  'app/upkeep/move',
  'copydesk/page/page',
  'adapters/providers/stub/provider',
  'artist/draw-pose',
  'worker/crash',
  'lab/power/power-loss',
  'artist/draw-scene',
  'contract/examples',
  'server/pipeline/rate-limit',
  'log/places',
]
/** They mostly wait: one process runs them, so that the others never wait all at once. */
const waitingFiles = [
  ...['adapters/providers/ai-sdk/faults', 'worker/worker', 'app/broken-clips', 'app/models', 'adapters/sql/tasks'],
  ...['adapters/photos/photo-reader', 'adapters/clips/clip-looper', 'main-server/main-server', 'worker/meet-fault'],
  'adapters/objects/s3/faults',
]
/**
 * Then come the folders whose files take longest, by turns: files of `pages` start a browser each, files of `cli` start
 * programs, and the others mostly wait, so that browsers do not compete for the cores.
 */
const slowFolders = ['pages', 'cli', 'adapters']
/** They measure their process, crash their database or set a global: they get a process of their own. */
const loneFiles = [
  ...['http/objects', 'log/places', 'server/input/pieces', 'adapters/sql/postgres-outage', 'adapters/open-telemetry'],
  'adapters/providers/stub/process',
]
/** Tests of the drawings and of the processes that draw them: they get no drawings from the cache. */
const drawingFolders = ['adapters/providers/stub', 'artist']
const folder = fileURLToPath(new URL('.', import.meta.url))
// Temporary files of all processes are in memory, which takes less CPU time than a disk.
process.env.TMPDIR ??= findMemoryFolder() ?? tmpdir()
// Node 20 reads these certificates at each start, which takes twice as long as the rest of it. Tests call this machine alone.
delete process.env.NODE_EXTRA_CA_CERTS
const drawings = openTemporaryFolder()
const words = process.argv.slice(2)
const isOnFleet = process.env.SVC_TEST_STORE === 'fleet'
const nameOf = (file: string) => relative(folder, file).replace(/\.test\.ts$/, '')
const chosen = globSync('**/*.test.ts', { cwd: folder, absolute: true })
  .sort((one, other) => one.localeCompare(other, 'en'))
  .filter((file) => words.length === 0 || words.some((word) => relative(folder, file).includes(word)))
  .filter((file) => !isOnFleet || isForFleet(file))
const files = chosen.filter((file) =>
  isOnFleet ? !(nameOf(file) in folderFiles) : words.length > 0 || !(nameOf(file) in otherSuites),
)

const [server] = await Promise.all([startServer(), compileTests()])
const variables = { ...server, ...(isOnFleet ? await startFleet() : {}) }
const results: FileResult[] = []
const failures: string[] = []
const ordered = orderFiles()
const waiters = ordered.filter((file) => waitingFiles.includes(nameOf(file)))
const others = ordered.filter((file) => !waiters.includes(file))
const queues = [waiters, ...Array.from({ length: availableParallelism() + 2 }, () => others)]
await Promise.all(queues.map(runAll))

drawings.close()

failures.push(...results.flatMap((result) => result.failures))
if (files.length === 0) failures.push('no test file matches')
const skips = results.flatMap((result) => result.skips)
for (const name of chosen.filter((one) => !files.includes(one)).map(nameOf)) {
  process.stdout.write(
    isOnFleet ? `not on a fleet: ${name}: ${folderFiles[name]}\n` : `${otherSuites[name]} runs ${name}\n`,
  )
}
if (!isOnFleet && files.some(isPooled)) process.stdout.write('npm run test:fleet runs the suites through PgBouncer\n')
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`)
for (const reason of skips) process.stdout.write(`skipped: ${reason}\n`)
const passed = results.reduce((sum, result) => sum + result.passed, 0) - skips.length
process.stdout.write(
  `${passed} passed, ${failures.length} failed${skips.length > 0 ? `, ${skips.length} skipped` : ''}\n`,
)
process.exitCode = failures.length > 0 ? 1 : 0

/** A fleet also has the suites that run through PgBouncer. */
function isForFleet(file: string): boolean {
  const name = nameOf(file)
  const isNamed = otherSuites[name] === 'npm run test:fleet' || fleetFolders.some((own) => name.startsWith(`${own}/`))
  return isNamed || isPooled(file)
}

function isPooled(file: string): boolean {
  return readFileSync(file, 'utf8').includes('isPooled: true')
}

/** Starts the PostgreSQL that the files share, if one of them needs it. Returns the variable that tells them. */
async function startServer(): Promise<Record<string, string>> {
  const programs = findPostgres()
  const needsIt = (file: string) => /helpers\/(stores|postgres|fleet)\.js'/.test(readFileSync(file, 'utf8'))
  if (programs === undefined || !(isOnFleet || files.some(needsIt))) return {}
  process.env[serverVariable] = await startPostgres(programs)
  return { [serverVariable]: process.env[serverVariable] }
}

/** Starts the bucket that the files share, and creates the model of their databases. Returns the variable that tells them. */
async function startFleet(): Promise<Record<string, string>> {
  const { startSharedFleet } = await import('./helpers/fleet.js')
  return { [fleetVariable]: JSON.stringify(await startSharedFleet()), SVC_TEST_STORE: '' }
}

/** Returns the long files, those of the slow folders by turns, and then all others. */
function orderFiles(): string[] {
  const isIn = (file: string, slow: string) => relative(folder, file).startsWith(`${slow}/`)
  const long = longFiles.flatMap((name) => files.filter((file) => nameOf(file) === name))
  const slow = slowFolders.flatMap((name) =>
    files.filter((file) => isIn(file, name)).map((file, turn) => ({ file, turn })),
  )
  const byTurns = slow.sort((one, other) => one.turn - other.turn).map(({ file }) => file)
  return [...new Set([...long, ...byTurns, ...files])]
}

/** Runs the files of a queue, one after another, in one process if they allow it. */
async function runAll(queue: string[]): Promise<void> {
  let shared: Runner | undefined
  let last = ''
  const close = async (runner: Runner | undefined, name: string) => {
    failures.push(...((await runner?.close()) ?? []).map((text) => `${name}: ${text}`))
  }
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const name = nameOf(file)
    const isAlone = loneFiles.includes(name)
    if (!isAlone && shared?.hasEnded()) {
      await close(shared, last)
      shared = undefined
    }
    const runner = isAlone ? startRunner(variables) : (shared ?? startRunner(variables))
    const drawsAll = drawingFolders.some((own) => name.startsWith(`${own}/`))
    const path = join(compiledFolder, 'test', `${name}.test.js`)
    const result = await runner.run({ path, drawings: drawsAll ? '' : drawings.folder })
    const { seconds, cpuSeconds, isLarge } = result
    process.stdout.write(`${name} (${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU time)\n`)
    results.push({ ...result, failures: result.failures.map((text) => `${name}: ${text}`) })
    if (isAlone || isLarge) await close(runner, name)
    if (isAlone) continue
    shared = isLarge ? undefined : runner
    last = name
  }
  await close(shared, last)
}
