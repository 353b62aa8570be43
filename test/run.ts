/**
 * Runs every `*.test.ts` below this folder, in a process of its own or of a few files, and two more processes at once than
 * the machine has cores, as many wait for processes and servers. Ends with `N passed, N failed`.
 * `npm test -- insight` runs the files whose path contains the word.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { compiledFolder, compileTests } from './compile.js'
import { fleetFolders, folderFiles } from './fleet-files.js'
import { fleetVariable } from './helpers/fleet-folder.js'
import { findPostgres, serverVariable, startPostgres } from './helpers/postgres.js'
import { openTemporaryFolder } from './helpers/temporary.js'
import { type FileResult, stillOpen } from './result.js'

/** A file that takes longer hangs, and is killed. */
const maxMinutes = 10
/** The files that take longest begin first, whether they work or wait, so that no core is idle while the last one runs. */
const longFiles = [
  'pages/review-served',
  'cli/kill',
  'server/drill',
  'app/models',
  'worker/worker',
  'main-server/main-server',
  'adapters/providers/ai-sdk/faults',
  'pages/api-docs',
  'copydesk/single-edits',
  'copydesk/planted-faults',
  'pages/demo',
  'pages/demo-steps',
  'cli/insight-review',
  'adapters/clips/clip-looper',
  'cli/insight-check',
  'pages/docs',
  'adapters/photos/photo-reader',
  'cli/demo',
  'pages/review',
  'cli/pictures',
  'cli/doctor',
  'copydesk/examples/examples',
  'app/upkeep/move',
  'insight/differential',
  'copydesk/page/page',
  'adapters/providers/stub/provider',
  'artist/draw-pose',
  'worker/crash',
  'app/broken-clips',
  'soak/soak',
  'power/power-loss',
  'artist/draw-scene',
  'contract/examples',
]
/**
 * Then come the folders whose files take longest, by turns: files of `pages` start a browser each, files of `cli` start
 * programs, and the others mostly wait, so that browsers do not compete for the cores.
 */
const slowFolders = ['pages', 'cli', 'adapters']
/**
 * Other files share a process with files of their folder, as most are short: starting a process and loading the sources
 * takes more CPU time than most of them.
 */
const filesPerProcess = 6
/** They measure their process, crash their database, set a global, or take long. */
const loneFiles = [
  ...['http/objects', 'log/places', 'server/input/pieces', 'adapters/sql/postgres-outage', 'adapters/open-telemetry'],
  'adapters/providers/stub/process',
  ...longFiles,
]
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
const shared = { ...(await startServer()), ...(isOnFleet ? await startFleet() : {}) }
const results: FileResult[] = []
const failures: string[] = []
const waiting = groupFiles(orderFiles())
await Promise.all(
  Array.from({ length: availableParallelism() + 2 }, async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) await run(group)
  }),
)

drawings.close()

failures.push(...results.flatMap((result) => result.failures))
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

/** Returns the files that run in one process each time: some alone, and some with others of their folder. */
function groupFiles(ordered: readonly string[]): string[][] {
  const groups: string[][] = []
  const last = new Map<string, string[]>()
  for (const file of ordered) {
    const key = toSharedFolder(nameOf(file))
    const group = last.get(key)
    if (group !== undefined && group.length < filesPerProcess) {
      group.push(file)
      continue
    }
    groups.push([file])
    last.set(key, groups.at(-1) ?? [])
  }
  return groups
}

/** Returns the folder whose files share the process of a file, or the name of a file that has one of its own. */
function toSharedFolder(name: string): string {
  if (loneFiles.includes(name)) return name
  const [top = name, next] = name.split('/')
  return drawingFolders.find((own) => name.startsWith(`${own}/`)) ?? (top === 'adapters' ? `${top}/${next}` : top)
}

/** Returns the variables that share the drawings of the stub with the other files of the run. */
function cacheDrawings(name: string): Record<string, string> {
  if (drawingFolders.some((own) => name.startsWith(`${own}/`))) return {}
  const preload = join(folder, 'helpers/drawing-cache.cjs')
  return { DRAWING_CACHE: drawings.folder, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require "${preload}"` }
}

/** Runs files in one process, and then prints what they printed. */
async function run(group: readonly string[]): Promise<void> {
  const names = group.map((file) => relative(folder, file))
  const child = fork(
    join(compiledFolder, 'test/run-file.js'),
    names.map((name) => join(compiledFolder, 'test', name.replace(/\.ts$/, '.js'))),
    {
      execArgv: ['--enable-source-maps'],
      env: { ...process.env, ...cacheDrawings(names[0] ?? ''), ...shared },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  let output = ''
  const done: FileResult[] = []
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
    // Processes that it started may hold the streams open, and `close` would wait for them.
    for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  }, maxMinutes * 60_000)
  child.on('message', (message) => {
    done.push(message as FileResult)
    timer.refresh()
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const [status, signal] = await once(child, 'close')
  clearTimeout(timer)
  for (const [index, { seconds, cpuSeconds }] of done.entries()) {
    process.stdout.write(`${names[index]} (${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU time)\n`)
  }
  process.stdout.write(output)
  results.push(
    ...done.map((one, index) => ({ ...one, failures: one.failures.map((text) => `${names[index]}: ${text}`) })),
  )
  const ended = names[done.length]
  const fail = (text: string) => failures.push(text)
  if (isLate)
    fail(`${ended ?? names.at(-1)}: it, or what it started, did not end in ${maxMinutes} minutes and was killed`)
  else if (ended !== undefined) fail(`${ended}: it ended by ${signal ?? `status ${status}`} before its last test`)
  else if (status !== 0 && done.every((one) => one.failures.length === 0)) fail(`${names.join(', ')}: ${stillOpen}`)
  // The files after one that ended the process run in another.
  const rest = group.slice(done.length + 1)
  if (rest.length > 0) waiting.unshift(rest)
}
