import type { ChildProcess, ForkOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** The extension of this file when the program runs as separate files; undefined in a bundle of `dist/`. */
const extension = /\/runtime\/entry(\.[jt]s)$/.exec(import.meta.url)?.[1]

/** Returns the URL of an entry file: `src/worker/x.ts` in the sources is `dist/worker-x.cjs` in the build. */
export function entryUrl(path: string): URL {
  return extension === undefined
    ? new URL(`./${path.replaceAll('/', '-')}.cjs`, import.meta.url)
    : new URL(`../${path}${extension}`, import.meta.url)
}

/**
 * Starts a worker thread from an entry file. A thread does not inherit the loader of TypeScript sources (`npm run dev`), so
 * the thread registers it first.
 */
export function startWorker(path: string, options: WorkerOptions = {}): Worker {
  const url = entryUrl(path)
  if (extension !== '.ts') return new Worker(url, options)
  const start = `import('tsx/esm/api').then(({ register }) => { register(); return import('${url.href}') })`
  return new Worker(start, { ...options, eval: true })
}

/** Limits of a process. A decoder allocates as much as a file from a stranger tells it to. */
export interface ChildLimits {
  /** MiB of JavaScript objects. */
  readonly heapMiB?: number
  /** MiB of all memory that it writes to: heap, buffers and pixels. Applies to each process that it starts too. Linux only. */
  readonly memoryMiB?: number
  /** Seconds of processor time. Applies to each process that it starts too. Linux only. */
  readonly cpuSeconds?: number
}

export interface ChildOptions extends ChildLimits {
  /** Gives it its own process group, so that it can be killed with all processes that it starts. */
  readonly leadsGroup?: boolean
  /** The time without work after which it may end (see `createIdleEnd`). */
  readonly idleMs?: number
  /** From 1 to 19: the highest comes last. By default, and where that of the program is higher, it is that of the program. */
  readonly niceness?: number
  /** Discards its standard error. */
  readonly isQuiet?: boolean
}

/**
 * Starts a process from an entry file, with a channel for messages. It inherits only standard error: of the environment,
 * which may hold keys, only the variables given here; of the flags of Node, only the loader of TypeScript sources. It ends
 * if it exceeds its limits of memory or time.
 */
export async function startChild(
  path: string,
  environment: Readonly<Record<string, string>> = {},
  {
    heapMiB = 256,
    memoryMiB = 1536,
    cpuSeconds = 600,
    idleMs = 60_000,
    leadsGroup = false,
    niceness = 0,
    isQuiet = false,
  }: ChildOptions = {},
): Promise<ChildProcess> {
  // Loaded on demand: Node takes 3 ms to load it, and few commands need it.
  const { fork } = await import('node:child_process')
  const url = entryUrl(path)
  const loader = () => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const flags = [`--max-old-space-size=${heapMiB}`, ...(extension === '.ts' ? ['--import', loader()] : [])]
  return fork(url, [String(idleMs), String(niceness)], {
    env: environment,
    ...limitProcess(memoryMiB, cpuSeconds, flags),
    detached: leadsGroup,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', isQuiet ? 'ignore' : 'inherit', 'ipc'],
  })
}

/**
 * Starts Node through a shell that sets the limits. Only Linux counts the memory that a process writes to. A limit of the
 * address space (`ulimit -v`) does not help: V8 reserves 11 GiB for one WebAssembly memory, and does not start below 1 GiB.
 * A lower limit of the system stays.
 */
function limitProcess(
  memoryMiB: number,
  cpuSeconds: number,
  flags: readonly string[],
): Pick<ForkOptions, 'execPath' | 'execArgv'> {
  const shell = '/bin/sh'
  if (process.platform !== 'linux' || !existsSync(shell)) return { execArgv: [...flags] }
  // At the hard limit of time the system sends SIGKILL, which would look like a kill from outside; at the soft one, SIGXCPU.
  const limits = [`ulimit -d ${memoryMiB * 1024}`, `ulimit -S -t ${cpuSeconds} && ulimit -H -t ${cpuSeconds + 1}`]
  const script = limits.map((limit) => `(${limit}) 2>/dev/null && ${limit}; `).join('')
  return {
    execPath: shell,
    execArgv: ['-c', `${script}unset PWD OLDPWD SHLVL; exec "$0" "$@"`, process.execPath, ...flags],
  }
}

/** Returns the URL of a file or folder that is shipped with the program, such as `fixtures/insight/`. */
export function shippedUrl(path: string): URL {
  return new URL(extension === undefined ? `../${path}` : `../../${path}`, import.meta.url)
}
