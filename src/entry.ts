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

/** A file or folder that travels with the program, such as `fixtures/insight/`. `src/` and `dist/` lie at the same depth. */
export function shippedUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url)
}
