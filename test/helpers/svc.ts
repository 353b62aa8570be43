import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const program = fileURLToPath(new URL('../../bin/svc.js', import.meta.url))

export interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built program to its end. */
export function runSvc(args: readonly string[], { input = '', cwd = process.cwd(), env = {} } = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    input,
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
  })
  return { status, stdout, stderr }
}
