import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { LoadJob, LoadResult } from './load.js'

/** A child process that prints one JSON line when it is ready, and ends with `stop`. */
export interface Running {
  readonly ready: { readonly port: number; readonly [member: string]: unknown }
  readonly pid: number
  stop(): Promise<void>
}

export async function start(command: string, args: readonly string[]): Promise<Running> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(([code]) => {
      throw new Error(`${command} ${args.join(' ')} ended with ${code} before it was ready`)
    }),
  ])
  return {
    ready: JSON.parse(line),
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await exited
    },
  }
}

export interface LoadGenerator {
  run(job: LoadJob): Promise<LoadResult>
  stop(): void
}

export function startLoadGenerator(): LoadGenerator {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [
    '--import',
    'tsx',
    new URL('./load.ts', import.meta.url).pathname,
  ])
  child.stderr.pipe(process.stderr)
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the load generator ended with ${code}`)
  })
  ended.catch(() => {})
  return {
    async run(job) {
      const answer = once(lines, 'line')
      child.stdin.write(`${JSON.stringify(job)}\n`)
      return JSON.parse((await Promise.race([answer, ended]))[0])
    },
    stop: () => child.stdin.end(),
  }
}

/** Milliseconds from the start of the process to its first 200, asked for as soon as it names its port. */
export async function timeToFirst200(
  command: string,
  args: readonly string[],
): Promise<{ ms: number; rssBytes: number }> {
  const startedAt = performance.now()
  const running = await start(command, args)
  const status = await new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: running.ready.port, path: '/health', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
  const ms = performance.now() - startedAt
  if (status !== 200) throw new Error(`${command} answered ${status} to GET /health`)
  await delay(300)
  const rssBytes = readRss(running.pid)
  await running.stop()
  return { ms, rssBytes }
}

/** Runs a job against a server: what the load generator saw, and the CPU time of the server's threads for each answer. */
export async function drive(
  load: LoadGenerator,
  { pid, ready }: Running,
  job: Omit<LoadJob, 'port'>,
): Promise<LoadResult & { readonly cpuMicros: number }> {
  const before = readCpuMicros(pid)
  const result = await load.run({ ...job, port: ready.port })
  const statuses = Object.keys(result.statuses).join()
  if (statuses !== '200') throw new Error(`the bench must measure answers of 200 alone, not ${statuses}`)
  return { ...result, cpuMicros: (readCpuMicros(pid) - before) / (result.statuses[200] ?? 0) }
}

/** CPU time of all threads, from /proc; NaN without /proc. */
function readCpuMicros(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const nanoseconds = threads.map(
      (thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0],
    )
    return nanoseconds.reduce((sum, time) => sum + Number(time), 0) / 1000
  } catch {
    return Number.NaN
  }
}

/** Resident memory, from /proc; 0 without /proc. */
function readRss(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
