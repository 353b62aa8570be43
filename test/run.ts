/**
 * Runs every `*.test.ts` below this folder, each in a process of its own and one more at once than the machine has cores,
 * as many wait for processes and servers. Ends with `N passed, N failed`.
 * `npm test -- insight` runs the files whose path contains the word.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { compiledFolder, compileTests } from './compile.js'
import { fleetFolders, folderFiles } from './fleet-files.js'
import { fleetVariable } from './helpers/fleet-folder.js'
import { openTemporaryFolder } from './helpers/temporary.js'
import { type FileResult, stillOpen } from './result.js'

/** A file that takes longer hangs, and is killed. */
const maxMinutes = 10
/** The files that take longest begin first, so that no core is idle while the last one runs. */
const longFiles = [
  'cli/kill',
  'server/drill',
  'app/models',
  'pages/api-docs',
  'pages/demo',
  'pages/demo-access',
  'cli/insight-review',
  'pages/demo-pets',
  'adapters/clips/clip-looper',
  'cli/insight-check',
  'pages/docs',
  'adapters/photos/photo-reader',
  'cli/demo',
  'pages/review',
  'cli/pictures',
  'cli/doctor',
].map((name) => `${name}.test.ts`)
/**
 * Then come the folders whose files take longest, by turns: files of `pages` start a browser each, files of `cli` start
 * programs, and the others mostly wait, so that browsers do not compete for the cores.
 */
const slowFolders = ['pages', 'cli', 'adapters']
/** Tests of the drawings and of the processes that draw them: they get no drawings from the cache. */
const drawingFolders = ['adapters/providers/stub', 'artist']
const folder = fileURLToPath(new URL('.', import.meta.url))
const drawings = openTemporaryFolder()
const words = process.argv.slice(2)
const isOnFleet = process.env.SVC_TEST_STORE === 'fleet'
const nameOf = (file: string) => relative(folder, file).replace(/\.test\.ts$/, '')
const chosen = globSync('**/*.test.ts', { cwd: folder, absolute: true })
  .sort((one, other) => one.localeCompare(other, 'en'))
  .filter((file) => words.length === 0 || words.some((word) => relative(folder, file).includes(word)))
  .filter((file) => !isOnFleet || fleetFolders.some((own) => nameOf(file).startsWith(`${own}/`)))
const files = chosen.filter((file) => !isOnFleet || !(nameOf(file) in folderFiles))

await compileTests()
const shared = isOnFleet ? await startFleet() : {}
const results: FileResult[] = []
const waiting = orderFiles()
await Promise.all(
  Array.from({ length: availableParallelism() + 1 }, async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) results.push(await run(file))
  }),
)

drawings.close()

const failures = results.flatMap((result) => result.failures)
if (files.length === 0) failures.push('no test file matches')
const skips = results.flatMap((result) => result.skips)
for (const file of chosen.filter((one) => !files.includes(one))) {
  process.stdout.write(`not on a fleet: ${nameOf(file)}: ${folderFiles[nameOf(file)]}\n`)
}
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`)
for (const reason of skips) process.stdout.write(`skipped: ${reason}\n`)
const passed = results.reduce((sum, result) => sum + result.passed, 0) - skips.length
process.stdout.write(
  `${passed} passed, ${failures.length} failed${skips.length > 0 ? `, ${skips.length} skipped` : ''}\n`,
)
process.exitCode = failures.length > 0 ? 1 : 0

/** Starts the servers that the files share. Returns the variable that tells them. */
async function startFleet(): Promise<Record<string, string>> {
  const { startSharedFleet } = await import('./helpers/fleet.js')
  return { [fleetVariable]: JSON.stringify(await startSharedFleet()), SVC_TEST_STORE: '' }
}

/** Returns the long files, those of the slow folders by turns, and then all others. */
function orderFiles(): string[] {
  const isIn = (file: string, slow: string) => relative(folder, file).startsWith(`${slow}/`)
  const long = longFiles.map((name) => join(folder, name)).filter((file) => files.includes(file))
  const slow = slowFolders.flatMap((name) =>
    files.filter((file) => isIn(file, name)).map((file, turn) => ({ file, turn })),
  )
  const byTurns = slow.sort((one, other) => one.turn - other.turn).map(({ file }) => file)
  return [...new Set([...long, ...byTurns, ...files])]
}

/** Returns the variables that share the drawings of the stub with the other files of the run. */
function cacheDrawings(name: string): Record<string, string> {
  if (drawingFolders.some((own) => name.startsWith(`${own}/`))) return {}
  const preload = join(folder, 'helpers/drawing-cache.cjs')
  return { DRAWING_CACHE: drawings.folder, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require "${preload}"` }
}

/** Runs a file, and then prints what it printed. */
async function run(file: string): Promise<FileResult> {
  const name = relative(folder, file)
  const child = fork(
    join(compiledFolder, 'test/run-file.js'),
    [join(compiledFolder, 'test', name.replace(/\.ts$/, '.js'))],
    {
      execArgv: ['--enable-source-maps'],
      env: { ...process.env, ...cacheDrawings(name), ...shared },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  let output = ''
  let result: FileResult | undefined
  child.on('message', (message) => {
    result = message as FileResult
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const started = performance.now()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
    // Processes that it started may hold the streams open, and `close` would wait for them.
    for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  }, maxMinutes * 60_000)
  const [status, signal] = await once(child, 'close')
  clearTimeout(timer)
  const { passed = 0, failures: found = [], skips = [], cpuSeconds = 0 } = result ?? {}
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${name} (${seconds} s, ${cpuSeconds.toFixed(1)} s of CPU time)\n${output}`)
  const failures = found.map((failure) => `${name}: ${failure}`)
  if (isLate) failures.push(`${name}: it, or what it started, did not end in ${maxMinutes} minutes and was killed`)
  else if (result === undefined)
    failures.push(`${name}: it ended by ${signal ?? `status ${status}`} before its last test`)
  else if (status !== 0 && found.length === 0) failures.push(`${name}: ${stillOpen}`)
  return { passed, failures, skips, cpuSeconds }
}
