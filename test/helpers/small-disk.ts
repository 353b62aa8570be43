import { spawnSync } from 'node:child_process'

/**
 * Runs a module in a process that can write no file beyond 64 KiB: like a full disk, the system then takes a part of what is
 * written without an error, and refuses what comes after it.
 */
export function runOnSmallDisk(script: string): { readonly stdout: string; readonly stderr: string } {
  const command = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const limited = 'ulimit -f 128 && exec "$@"'
  const { stdout, stderr } = spawnSync('sh', ['-c', limited, 'sh', process.execPath, ...command], {
    encoding: 'utf8',
    // What it compiles is not kept: the files may be larger.
    env: { ...process.env, TSX_DISABLE_CACHE: '1' },
  })
  return { stdout, stderr }
}
