/**
 * Runs the test files of its arguments, `node --import tsx test/run-file.ts test/ids.test.ts`, or those that the process
 * which started it names, one after another: that process gets the result of each.
 * uvu alone also passes on no tests at all, a forgotten `.run()`, a stray `.only` and a throwing `before`; here each fails.
 */
import { on } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { FileRequest, FileResult } from './result.js'

type SuiteRun = () => Promise<[errors: string | true, ran: number, skipped: number, total: number]>

const stillOpen = 'something is still open after the last test (a server, a timer, a child process)'
/** The time in which servers, timers and processes of a file close. */
const maxClosingMs = 10_000
/** Linux copies the page tables of a process for each program that it starts. */
const maxMemoryBytes = 600 << 20
const queue: (SuiteRun | string | null)[] = []
const skips: string[] = []
let countedSeconds = 0
Object.assign(globalThis, {
  UVU_DEFER: 1,
  UVU_INDEX: 0,
  UVU_QUEUE: [queue],
  reportSkip: (reason: string) => skips.push(reason),
})

// They count as open from their first use.
for (const stream of [process.stdout, process.stderr]) stream.write('')
for (const path of process.argv.slice(2)) {
  const { failures } = await runFile(path)
  if (failures.length > 0) process.exitCode = 1
  for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`)
}
if (process.send !== undefined) {
  for await (const [request] of on(process, 'message') as AsyncIterable<[FileRequest | 'end']>) {
    if (request === 'end') break
    process.env.DRAWING_CACHE = request.drawings
    process.send(await runFile(request.path))
  }
  process.disconnect()
}
// An open handle must not hang the run, and must not pass unseen either.
setTimeout(() => {
  process.stdout.write(`FAILED ${stillOpen}: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(1)
}, maxClosingMs).unref()

async function runFile(path: string): Promise<FileResult> {
  const failures: string[] = []
  let passed = 0
  const [started, open] = [performance.now(), process.getActiveResourcesInfo()]
  try {
    await import(pathToFileURL(path).href)
    const suites = queue.splice(0).filter((entry) => typeof entry === 'function')
    if (suites.length === 0) failures.push('no suite ran; end it with .run()')
    for (const suite of suites) {
      const [errors, ran, skipped, total] = await suite()
      passed += ran
      if (errors !== true) process.stdout.write(`\n${errors}\n`)
      // A hook that throws ends a suite of uvu without an error.
      for (let count = ran; count < total; count++) failures.push('a test failed, or a hook threw')
      if (total === 0) failures.push('a suite without tests')
      if (skipped > 0) failures.push(`${skipped} tests left out by .only or .skip; report skips with their reason`)
    }
  } catch (error) {
    failures.push(error instanceof Error ? `${error.stack}` : String(error))
  }
  const left = await waitUntilClosed(open)
  if (left.length > 0 && failures.length === 0) failures.push(`${stillOpen}: ${left.join(', ')}`)
  const [seconds, cpuSeconds] = [(performance.now() - started) / 1000, readCpuSeconds() - countedSeconds]
  countedSeconds += cpuSeconds
  const isLarge = process.memoryUsage.rss() > maxMemoryBytes
  return { passed, failures, skips: skips.splice(0), seconds, cpuSeconds, isLarge }
}

/** Waits until nothing is open but what was before. Returns what still is when the time is over. */
async function waitUntilClosed(before: readonly string[]): Promise<string[]> {
  for (const giveUpAt = performance.now() + maxClosingMs; ; await delay(10)) {
    const left = process.getActiveResourcesInfo().filter((type) => type !== 'Immediate')
    for (const type of before) if (left.includes(type)) left.splice(left.indexOf(type), 1)
    if (left.length === 0 || performance.now() > giveUpAt) return left
  }
}

/** Fields 14 to 17 of `/proc/self/stat`, in hundredths of a second: this process and its children. */
function readCpuSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}
