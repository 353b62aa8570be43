import { spawnSync } from 'node:child_process'

/** Returns the URL of a module of `src/` as JavaScript, for programs that a test starts: the loader of TypeScript is slow. */
export const compiledUrl = (path: string) => new URL(`../../.compiled/src/${path}.js`, import.meta.url).href

/**
 * Runs a module in a process that cannot write files over 64 KiB. Like a full disk, the system accepts a part of a write
 * without an error and refuses the next one.
 */
export function runOnSmallDisk(script: string): { readonly stdout: string; readonly stderr: string } {
  const command = [process.execPath, '--input-type=module', '--eval', script]
  const { stdout, stderr } = spawnSync('sh', ['-c', 'ulimit -f 128 && exec "$@"', 'sh', ...command], {
    encoding: 'utf8',
  })
  return { stdout, stderr }
}
