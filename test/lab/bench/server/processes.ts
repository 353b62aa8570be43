import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { program } from '../../../helpers/svc.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'
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

const canPin = spawnSync('taskset', ['--cpu-list', '0,1', 'true']).status === 0

/** The command that runs on one core, where `taskset` and a second core are there: servers on 0, their load on 1. */
export function pin(core: 0 | 1, command: string, args: readonly string[]): [string, string[]] {
  return canPin ? ['taskset', ['--cpu-list', String(core), command, ...args]] : [command, [...args]]
}

export const startPinned = (command: string, args: readonly string[]) => start(...pin(0, command, args))

export const startSvc = (dataDir: string, run = startPinned) =>
  run(process.execPath, [program, 'serve', '--port', '0', '--json', '--data-dir', dataDir])

/** A folder for a bench, and the programs that it keeps: both end with the bench. */
export function openWorld() {
  const { folder, write, close } = openTemporaryFolder()
  const kept: { stop(): unknown }[] = []
  return {
    folder,
    write,
    keep<T extends { stop(): unknown }>(one: T): T {
      kept.push(one)
      return one
    },
    async close(): Promise<void> {
      for (const one of kept.reverse()) await one.stop()
      close()
    },
  }
}

export type World = ReturnType<typeof openWorld>

export interface LoadGenerator {
  run(job: LoadJob): Promise<LoadResult>
  stop(): void
}

export function startLoadGenerator(): LoadGenerator {
  const args = ['--import', 'tsx', new URL('./load.ts', import.meta.url).pathname]
  const child: ChildProcessWithoutNullStreams = spawn(...pin(1, process.execPath, args))
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

export interface Driven extends LoadResult {
  /** CPU time of the threads of the server for each answer. */
  readonly cpuMicros: number
}

/** Runs a job against a server. */
export async function drive(load: LoadGenerator, { pid, ready }: Running, job: Omit<LoadJob, 'port'>): Promise<Driven> {
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

/** Resident memory in MiB, now or at its peak, from /proc; NaN without /proc. */
export function readMemoryMib({ pid }: Running, which: 'VmRSS' | 'VmHWM'): number {
  try {
    const [, kib] = new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib) / 1024
  } catch {
    return Number.NaN
  }
}
