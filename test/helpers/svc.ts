import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const program = fileURLToPath(new URL('../../bin/svc.js', import.meta.url))

export interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly input?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the built program to its end. */
export function runSvc(args: readonly string[], options: RunOptions = {}): Run {
  return runNode([program, ...args], options)
}

/** Runs Node to its end. */
export function runNode(args: readonly string[], { input = '', cwd = process.cwd(), env = {} }: RunOptions = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    input,
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
  })
  return { status, stdout, stderr }
}
