import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiledFolder } from './compile.js'
import type { FileRequest, FileResult } from './result.js'

/** A file that takes longer hangs, and is killed. */
const maxMinutes = 10
/**
 * V8 waits fifteen times longer before it optimizes a function, as few functions run so often in tests that it pays; and it
 * collects no garbage before there is much.
 */
const flags = ['--interrupt-budget=1000000', '--initial-old-space-size=512', '--min-semi-space-size=16']
const preload = fileURLToPath(new URL('helpers/drawing-cache.cjs', import.meta.url))

/** A process that runs test files one after another. */
export interface Runner {
  /** Runs a file. A file that ends the process fails, and the runner has ended. */
  run(request: FileRequest): Promise<FileResult>
  hasEnded(): boolean
  /** Ends the process, and returns what failed. */
  close(): Promise<readonly string[]>
}

/** Starts a process that runs test files, with variables of its own. */
export function startRunner(variables: Readonly<Record<string, string>>): Runner {
  const child = fork(join(compiledFolder, 'test/run-file.js'), [], {
    execArgv: ['--enable-source-maps', ...flags],
    env: { ...process.env, ...variables, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require "${preload}"` },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  let end: string | undefined
  let isReported = false
  // A process that has just ended takes no message: `ended` tells.
  const send = (message: FileRequest | 'end') => child.send(message, () => {})
  const ended = once(child, 'close').then(([status, signal]) => {
    end = signal ?? `status ${status}`
  })

  /** Waits for an event, and prints what the process printed meanwhile. Kills it when it takes too long. */
  async function waitFor<T>(event: Promise<T>): Promise<T | string | undefined> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      child.kill('SIGKILL')
      // Processes that it started may hold the streams open, and `close` would wait for them.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
    }, maxMinutes * 60_000)
    const result = await Promise.race([event, ended])
    clearTimeout(timer)
    process.stdout.write(output)
    output = ''
    if (isLate) return `it, or what it started, did not end in ${maxMinutes} minutes and was killed`
    return result ?? undefined
  }

  return {
    async run(request) {
      const started = performance.now()
      const answer = once(child, 'message').then(([message]) => message as FileResult)
      send(request)
      const result = await waitFor(answer)
      if (typeof result === 'object') return result
      isReported = true
      const failures = [result ?? `it ended by ${end} before its last test`]
      const seconds = (performance.now() - started) / 1000
      return { passed: 0, failures, skips: [], seconds, cpuSeconds: 0, isLarge: false }
    },
    hasEnded: () => end !== undefined,
    async close() {
      if (isReported) return []
      send('end')
      const late = await waitFor(ended)
      if (late !== undefined) return [late]
      return end === 'status 0' ? [] : [`it ended by ${end} after its last test: see its output`]
    },
  }
}
