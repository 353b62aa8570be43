/**
 * Runs one test file and sends what came of it to the process that started this one, if any did:
 * `node --import tsx test/run-file.ts test/ids.test.ts`.
 * uvu alone also passes on no tests at all, a forgotten `.run()`, a stray `.only` and a throwing `before`; here each fails.
 */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type FileResult, stillOpen } from './result.js'

type SuiteRun = () => Promise<[errors: string | true, ran: number, skipped: number, total: number]>

const queue: (SuiteRun | string | null)[] = []
const skips: string[] = []
Object.assign(globalThis, {
  UVU_DEFER: 1,
  UVU_INDEX: 0,
  UVU_QUEUE: [queue],
  reportSkip: (reason: string) => skips.push(reason),
})

const result = await runFile(process.argv[2] ?? '')
process.exitCode = result.failures.length > 0 ? 1 : 0
if (process.send === undefined) for (const failure of result.failures) process.stdout.write(`FAILED ${failure}\n`)
process.send?.(result)
process.disconnect?.()
// An open handle must not hang the run, and must not pass unseen either.
setTimeout(() => {
  process.stdout.write(`FAILED ${stillOpen}\n`)
  process.exit(1)
}, 10_000).unref()

async function runFile(path: string): Promise<FileResult> {
  const failures: string[] = []
  let passed = 0
  try {
    await import(pathToFileURL(path).href)
    const suites = queue.filter((entry) => typeof entry === 'function')
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
  return { passed, failures, skips, cpuSeconds: readCpuSeconds() }
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
