import type { ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Where the program's own entry files lie: `src/worker/x.ts` in the sources is `dist/worker-x.cjs` once built.
 * Used to start child processes from either.
 */
export function entryUrl(path: string): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL(`./${path}.ts`, import.meta.url)
    : new URL(`./${path.replaceAll('/', '-')}.cjs`, import.meta.url)
}

/**
 * Starts a worker thread from one of the entry files. A thread does not inherit the loader that reads TypeScript sources
 * (`npm run dev`, tests), so from there it is registered first.
 */
export function startWorker(path: string, options: WorkerOptions = {}): Worker {
  const url = entryUrl(path)
  if (!url.pathname.endsWith('.ts')) return new Worker(url, options)
  const start = `import('tsx/esm/api').then(({ register }) => { register(); return import('${url.href}') })`
  return new Worker(start, { ...options, eval: true })
}

/**
 * Starts a process of its own from one of the entry files, with a channel for messages. It inherits nothing of ours but
 * standard error: of the environment, where keys may lie, only what is given here, and no flags of Node but the loader of
 * TypeScript sources. `leadsGroup` gives it a process group of its own, to be killed with all that it starts;
 * `isQuiet` drops what it writes to standard error.
 */
export async function startChild(
  path: string,
  environment: Readonly<Record<string, string>> = {},
  { leadsGroup = false, isQuiet = false } = {},
): Promise<ChildProcess> {
  // Takes Node 3 ms to load, which few commands need.
  const { fork } = await import('node:child_process')
  const url = entryUrl(path)
  const loader = () => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return fork(url, {
    env: environment,
    execArgv: url.pathname.endsWith('.ts') ? ['--import', loader()] : [],
    detached: leadsGroup,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', isQuiet ? 'ignore' : 'inherit', 'ipc'],
  })
}

/** A file or folder that travels with the program, such as `fixtures/insight/`. `src/` and `dist/` lie at the same depth. */
export function shippedUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url)
}
