/**
 * Where the program's own entry files lie: `src/worker/x.ts` in the sources is `dist/worker-x.cjs` once built.
 * Used to start worker threads and child processes from either.
 */
export function entryUrl(path: string): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL(`./${path}.ts`, import.meta.url)
    : new URL(`./${path.replaceAll('/', '-')}.cjs`, import.meta.url)
}

/** A file or folder that travels with the program, such as `fixtures/insight/`. `src/` and `dist/` lie at the same depth. */
export function shippedUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url)
}
