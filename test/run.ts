/**
 * Runs every `*.test.ts` below this folder; `npm test -- insight` those whose path contains the word. The last line is
 * `N passed, N failed`, with `, N skipped` where tests were skipped. A file says in its first line what it needs,
 * `// run: takes 30 s, PostgreSQL`:
 *
 * - `takes N s`: its CPU time. Files that take longest begin first, so that no core is idle while the last one runs.
 * - `waits`: it mostly waits. One process runs all of these, so that the others never wait all at once.
 * - `alone`: it measures its process, crashes its database or sets a global. It gets a process of its own.
 * - `draws`: it tests the drawings or the reading of photos, and gets no copy of what another file has drawn or read.
 * - `PostgreSQL`: it uses the server of the run.
 * - `fleet`: it also runs on PostgreSQL and a bucket in place of a data directory, with `npm run test:fleet`.
 * - `only if named`: it runs when a word names it, or on a fleet.
 *
 * The files run in more processes than the machine has cores, since many wait for processes and servers. A process runs one
 * file after another: to start one and to load the sources takes more CPU time than most files.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { availableParallelism, getPriority, setPriority, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, transform } from 'esbuild'
import { globSync } from 'tinyglobby'
import { fleetVariable } from './helpers/fleet-folder.js'
import { findPostgres, serverVariable, startPostgres } from './helpers/postgres.js'
import { findMemoryFolder, openTemporaryFolder } from './helpers/temporary.js'

/** The result of a file. */
interface FileResult {
  readonly passed: number
  /** A sentence for each test that failed, and for each other fault of the file. */
  readonly failures: readonly string[]
  /** Why tests were skipped. They are among `passed`. */
  readonly skips: readonly string[]
  readonly seconds: number
  /** The CPU time of the process and of the processes that it waited for. */
  readonly cpuSeconds?: number
  readonly memoryBytes?: number
}

interface TestFile {
  readonly name: string
  readonly marks: readonly string[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const compiled = join(root, '.compiled')
/** A file that takes longer hangs, and is killed. */
const maxMinutes = 10
/** The time in which servers, timers and processes of a file close. */
const maxClosingMs = 10_000
/** Linux copies the page tables of a process for each program that it starts: a larger process runs no other file. */
const maxMemoryBytes = 600 << 20

if (process.send === undefined) await runTests(process.argv.slice(2))
else await serve()

/** Finds the files, runs them, and prints what failed. */
async function runTests(words: readonly string[]): Promise<void> {
  // That of the processes that draw clips: next to tests of a higher priority, they would get no time.
  setPriority(Math.max(getPriority(), 13))
  const isOnFleet = process.env.SVC_TEST_STORE === 'fleet'
  const all = findFiles().filter(
    ({ name }) => words.length === 0 || words.some((word) => `${name}.test.ts`.includes(word)),
  )
  const isChosen = ({ marks }: TestFile) =>
    isOnFleet ? marks.includes('fleet') : words.length > 0 || !marks.includes('only if named')
  const files = all.filter(isChosen)

  // Temporary files of all processes are in memory, which takes less CPU time than a disk.
  process.env.TMPDIR ??= findMemoryFolder() ?? tmpdir()
  // Node 20 reads these certificates at each start, which takes twice as long as the rest of it. Tests call this machine alone.
  delete process.env.NODE_EXTRA_CA_CERTS
  const drawings = openTemporaryFolder()
  const postgres = findPostgres()
  const needsServer = isOnFleet || files.some(({ marks }) => marks.includes('PostgreSQL'))
  const start = async () => {
    if (postgres !== undefined && needsServer) process.env[serverVariable] = await startPostgres(postgres)
  }
  await Promise.all([start(), compile()])
  if (isOnFleet) {
    const { startSharedFleet } = await import('./helpers/fleet.js')
    Object.assign(process.env, { [fleetVariable]: JSON.stringify(await startSharedFleet()), SVC_TEST_STORE: '' })
  }

  const results: FileResult[] = []
  const waiting = files.filter(({ marks }) => marks.includes('waits'))
  const others = files.filter((file) => !waiting.includes(file))
  const queues = [waiting, ...Array.from({ length: availableParallelism() + 2 }, () => others)]
  await Promise.all(queues.map((queue) => runQueue(queue, drawings.folder, (result) => results.push(result))))
  drawings.close()

  const [failures, skips] = [results.flatMap((result) => result.failures), results.flatMap((result) => result.skips)]
  if (files.length === 0) failures.push('no test file matches')
  for (const { name } of isOnFleet ? [] : all.filter((file) => !files.includes(file)))
    process.stdout.write(`not run: ${name}, which runs if it is named\n`)
  for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`)
  for (const reason of skips) process.stdout.write(`skipped: ${reason}\n`)
  const passed = results.reduce((sum, result) => sum + result.passed, 0) - skips.length
  const skipped = skips.length > 0 ? `, ${skips.length} skipped` : ''
  process.stdout.write(`${passed} passed, ${failures.length} failed${skipped}\n`)
  process.exitCode = failures.length > 0 ? 1 : 0
}

/** Returns all files with what their first lines say, those that take longest first. */
function findFiles(): TestFile[] {
  const secondsOf = ({ marks }: TestFile) => Number(/takes (\d+) s/.exec(marks.join())?.[1] ?? 0)
  return globSync('**/*.test.ts', { cwd: join(root, 'test') })
    .sort()
    .map((path) => {
      const [, marks = ''] = /^\/\/ run: (.*)$/m.exec(readFileSync(join(root, 'test', path), 'utf8')) ?? []
      return { name: path.replace(/\.test\.ts$/, ''), marks: marks.split(', ') }
    })
    .sort((one, other) => secondsOf(other) - secondsOf(one))
}

/**
 * Compiles what changed of `src/` and `test/` to JavaScript, file by file. To read TypeScript through a loader costs each
 * process up to two seconds of CPU time. The processes and threads that the sources start are those of `dist/`.
 */
async function compile(): Promise<void> {
  async function compileFile(source: string): Promise<void> {
    const [from, to] = [join(root, source), join(compiled, source.replace(/\.ts$/, '.js'))]
    // A time that was set has no fractions of a millisecond.
    const { mtime } = statSync(from)
    if (statSync(to, { throwIfNoEntry: false })?.mtime.getTime() === mtime.getTime()) return
    const place = source === 'src/runtime/entry.ts' ? join(root, 'dist/entry.cjs') : from
    const { code } = await transform(readFileSync(from, 'utf8'), {
      ...{ loader: 'ts', target: 'node20.19', sourcefile: from, sourcemap: 'inline', sourcesContent: false },
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(place).href) },
    })
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, code)
    utimesSync(to, mtime, mtime)
  }
  // These packages have 800 modules: to load them takes each process a third of a second.
  const packages = join(compiled, 'node_modules')
  const bundled = build({
    entryPoints: { 'typebox/index': 'typebox', 'typebox/schema': 'typebox/schema', 'kysely/index': 'kysely' },
    ...{ outdir: packages, bundle: true, splitting: true, format: 'esm', platform: 'node' },
  })
  for (const name of ['typebox', 'kysely']) {
    mkdirSync(join(packages, name), { recursive: true })
    writeFileSync(
      join(packages, name, 'package.json'),
      '{"exports": {".": "./index.js", "./schema": "./schema.js"}, "type": "module"}',
    )
  }
  const files = globSync(['src/**/*.ts', 'test/**/*.ts', '!**/*.d.ts'], { cwd: root })
  await Promise.all([bundled, ...files.map(compileFile)])
  for (const name of ['package.json', 'src/contract/examples.json']) cpSync(join(root, name), join(compiled, name))
}

/** Runs the files of a queue, which others may take from too, in one process as far as they allow it. */
async function runQueue(queue: TestFile[], drawings: string, report: (result: FileResult) => void): Promise<void> {
  let shared: TestProcess | undefined
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const isAlone = file.marks.includes('alone')
    const child = (isAlone ? undefined : shared) ?? startProcess()
    const result = await child.run(file, file.marks.includes('draws') ? '' : drawings)
    const cpu = result.cpuSeconds === undefined ? '' : `, CPU ${result.cpuSeconds.toFixed(1)} s`
    process.stdout.write(`${file.name} (${result.seconds.toFixed(1)} s${cpu})\n`)
    report(result)
    const isOver = child.hasEnded() || (result.memoryBytes ?? 0) > maxMemoryBytes
    if (isAlone || isOver) report(await child.close())
    if (!isAlone) shared = isOver ? undefined : child
  }
  if (shared !== undefined) report(await shared.close())
}

/** A process that runs test files one after another. */
interface TestProcess {
  /** Runs a file. A file that ends the process fails. */
  run(file: TestFile, drawings: string): Promise<FileResult>
  hasEnded(): boolean
  /** Ends the process. What it left open is a failure of its last file. */
  close(): Promise<FileResult>
}

function startProcess(): TestProcess {
  // V8 waits fifteen times longer before it optimizes a function, as few functions run so often in tests that it pays; and it
  // collects no garbage before there is much.
  const flags = ['--interrupt-budget=1000000', '--initial-old-space-size=512', '--min-semi-space-size=16']
  const preload = join(root, 'test/helpers/drawing-cache.cjs')
  const child = fork(join(compiled, 'test/run.js'), [], {
    execArgv: ['--enable-source-maps', ...flags],
    env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require "${preload}"` },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let [output, end, name, isReported] = ['', '', '', false]
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  // A process that it started and did not end may hold the streams open: `close` would wait for it.
  child.once('exit', () => setTimeout(destroyStreams, maxClosingMs, child).unref())
  const ended: Promise<string> = once(child, 'close').then(([status, signal]) => signal ?? `status ${status}`)

  /** Waits for an event or the end of the process, and prints what the process printed meanwhile. */
  async function waitFor(event: Promise<FileResult | string>): Promise<FileResult | string> {
    const timer = setTimeout(kill, maxMinutes * 60_000, child)
    const result = await Promise.race([event, ended])
    clearTimeout(timer)
    process.stdout.write(output)
    end = output.slice(-2000)
    output = ''
    return result
  }

  return {
    async run(file, drawings) {
      const started = performance.now()
      name = file.name
      // A process that has just ended takes no message: `ended` tells.
      child.send({ name, drawings }, () => {})
      const result = await waitFor(once(child, 'message').then(([message]) => message))
      if (typeof result !== 'string') return result
      isReported = true
      const seconds = (performance.now() - started) / 1000
      const failure = `${name}: it ended by ${result} before its last test, or was killed after ${maxMinutes} minutes`
      return { passed: 0, failures: [`${failure}. It printed last:\n${end}`], skips: [], seconds }
    },
    hasEnded: () => isReported || !child.connected,
    async close() {
      // Not `disconnect` on this side: Node then emits no `close`.
      child.send('end', () => {})
      const end = await waitFor(ended)
      const failures = isReported || end === 'status 0' ? [] : [`${name}: it ended by ${end} after its last test`]
      return { passed: 0, failures, skips: [], seconds: 0 }
    },
  }
}

function kill(child: ChildProcess): void {
  child.kill('SIGKILL')
  destroyStreams(child)
}

function destroyStreams(child: ChildProcess): void {
  for (const stream of [child.stdout, child.stderr]) stream?.destroy()
}

/**
 * Runs the files that the parent names. uvu alone also passes on no tests at all, a forgotten `.run()`, a stray `.only` and a
 * throwing `before`; here each fails.
 */
async function serve(): Promise<void> {
  type SuiteRun = () => Promise<[errors: string | true, ran: number, skipped: number, total: number]>
  const queue: (SuiteRun | string | null)[] = []
  const skips: string[] = []
  const reportSkip = (reason: string) => skips.push(reason)
  Object.assign(globalThis, { UVU_DEFER: 1, UVU_INDEX: 0, UVU_QUEUE: [queue], reportSkip })
  // They count as open from their first use.
  for (const stream of [process.stdout, process.stderr]) stream.write('')

  async function runFile(name: string): Promise<FileResult> {
    const failures: string[] = []
    let passed = 0
    const [started, cpuAtStart, open] = [performance.now(), readCpuSeconds(), process.getActiveResourcesInfo()]
    try {
      await import(pathToFileURL(join(compiled, 'test', `${name}.test.js`)).href)
      const suites = queue.splice(0).filter((entry) => typeof entry === 'function')
      if (suites.length === 0) failures.push('no suite ran; end it with .run()')
      for (const suite of suites) {
        const [errors, ran, skipped, total] = await suite()
        passed += ran
        if (errors !== true) process.stdout.write(`\n${errors}\n`)
        // One failure tells all of the suite. A hook that throws ends a suite of uvu without an error.
        const texts = errors === true ? [] : [`\n${errors}`]
        for (let count = ran; count < total; count++) failures.push(texts.pop() ?? 'a test failed, or a hook threw')
        if (total === 0) failures.push('a suite without tests')
        if (skipped > 0) failures.push(`${skipped} tests left out by .only or .skip; report skips with their reason`)
      }
    } catch (error) {
      failures.push(error instanceof Error ? `${error.stack}` : String(error))
    }
    const left = await waitUntilClosed(open)
    if (left.length > 0 && failures.length === 0) failures.push(`${stillOpen}: ${left.join(', ')}`)
    return {
      passed,
      failures: failures.map((text) => `${name}: ${text}`),
      skips: skips.splice(0),
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: readCpuSeconds() - cpuAtStart,
      memoryBytes: process.memoryUsage.rss(),
    }
  }

  const stillOpen = 'something is still open after the last test (a server, a timer, a child process)'
  for await (const [request] of on(process, 'message')) {
    if (request === 'end') break
    process.env.DRAWING_CACHE = request.drawings
    process.send?.(await runFile(request.name))
  }
  process.disconnect()
  // An open handle must not hang the run, and must not pass unseen either.
  setTimeout(() => {
    process.stdout.write(`FAILED ${stillOpen}: ${process.getActiveResourcesInfo().join(', ')}\n`)
    process.exit(1)
  }, maxClosingMs).unref()
}

/** Waits until nothing is open but what was before. Returns what still is when the time is over. */
async function waitUntilClosed(before: readonly string[]): Promise<string[]> {
  for (const giveUpAt = performance.now() + maxClosingMs; ; await delay(10)) {
    const left = process.getActiveResourcesInfo().filter((type) => type !== 'Immediate')
    for (const type of before) if (left.includes(type)) left.splice(left.indexOf(type), 1)
    if (left.length === 0 || performance.now() > giveUpAt) return left
  }
}

/** Returns the CPU time of this process and, on Linux, of the children that have ended. */
function readCpuSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const times = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 16)
    return times.reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}
