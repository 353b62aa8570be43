/**
 * Runs every `*.test.ts` below this folder in one process and ends with `N passed, N failed`.
 * uvu alone also passes on no tests at all, a forgotten `.run()`, a stray `.only` and a throwing `before`; here each fails.
 * `npm test -- insight` runs the files whose path contains the word.
 */
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { globSync } from 'tinyglobby'

type SuiteRun = () => Promise<[errors: string | true, ran: number, skipped: number, total: number]>
const harness = globalThis as { UVU_DEFER?: number; UVU_INDEX?: number; UVU_QUEUE?: (SuiteRun | string | null)[][] }
harness.UVU_DEFER = 1
harness.UVU_QUEUE = []

const folder = fileURLToPath(new URL('.', import.meta.url))
const words = process.argv.slice(2)
const files = globSync('**/*.test.ts', { cwd: folder, absolute: true })
  .sort()
  .filter((file) => words.length === 0 || words.some((word) => relative(folder, file).includes(word)))

let passed = 0
const failures: string[] = []
const skips: string[] = []
/** A test that needs something this machine lacks calls this with the reason and returns. */
export type ReportSkip = (reason: string) => void
Object.assign(globalThis, { reportSkip: (reason: string) => skips.push(reason) })

for (const [index, file] of files.entries()) {
  const name = relative(folder, file)
  const queue: (SuiteRun | string | null)[] = []
  harness.UVU_INDEX = index
  harness.UVU_QUEUE[index] = queue
  process.stdout.write(`${name}\n`)
  try {
    await import(pathToFileURL(file).href)
    const suites = queue.filter((entry) => typeof entry === 'function')
    if (suites.length === 0) failures.push(`${name}: no suite ran; end it with .run()`)
    for (const suite of suites) {
      const [errors, ran, skipped, total] = await suite()
      passed += ran
      if (errors !== true) process.stdout.write(`\n${errors}\n`)
      // A hook that throws ends a suite of uvu without an error.
      for (let count = ran; count < total; count++) failures.push(`${name}: a test failed, or a hook threw`)
      if (total === 0) failures.push(`${name}: a suite without tests`)
      if (skipped > 0)
        failures.push(`${name}: ${skipped} tests left out by .only or .skip; report skips with their reason`)
    }
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
  }
}

for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`)
for (const reason of skips) process.stdout.write(`skipped: ${reason}\n`)
if (files.length === 0) failures.push('no test file matches')
process.stdout.write(
  `${passed - skips.length} passed, ${failures.length} failed${skips.length > 0 ? `, ${skips.length} skipped` : ''}\n`,
)
// An open handle must not hang the run, and must not pass unseen either.
setTimeout(() => {
  process.stdout.write('FAILED something is still open after the last test (a server, a timer, a child process)\n')
  process.exit(1)
}, 10_000).unref()
process.exitCode = failures.length > 0 ? 1 : 0
