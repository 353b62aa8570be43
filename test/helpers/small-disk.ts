import { spawnSync } from 'node:child_process'

/**
 * Runs a module in a process that cannot write files over 64 KiB. Like a full disk, the system accepts a part of a write
 * without an error and refuses the next one.
 */
export function runOnSmallDisk(script: string): { readonly stdout: string; readonly stderr: string } {
  const command = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const limited = 'ulimit -f 128 && exec "$@"'
  const { stdout, stderr } = spawnSync('sh', ['-c', limited, 'sh', process.execPath, ...command], {
    encoding: 'utf8',
    // Without the compile cache, whose files may be larger.
    env: { ...process.env, TSX_DISABLE_CACHE: '1' },
  })
  return { stdout, stderr }
}
