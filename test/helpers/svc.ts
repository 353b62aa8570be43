import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findFleetFolder } from './fleet-folder.js'

export const program = fileURLToPath(new URL('../../bin/svc.js', import.meta.url))

export interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly input?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the built program to its end. */
export function runSvc(args: readonly string[], options: RunOptions = {}): Run {
  return runNode([program, ...args], { ...options, env: toEnvironment(args, options.env) })
}

/** Runs the built program to its end without blocking this process, which may be its server. */
export async function runSvcAsync(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: Omit<RunOptions, 'input'> = {},
): Promise<Run> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: cleanEnvironment(toEnvironment(args, env)),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  }
  const [status] = await once(child, 'close')
  return { status, ...output }
}

/** Runs Node to its end. */
export function runNode(args: readonly string[], { input = '', cwd = process.cwd(), env = {} }: RunOptions = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    input,
    cwd,
    env: cleanEnvironment(env),
    maxBuffer: 1 << 28,
    // A program that hangs must not block the tests.
    timeout: 120_000,
  })
  return { status, stdout, stderr }
}

export type RunningSvc = ReturnType<typeof startSvc>

/**
 * Starts a command that runs until it gets a signal; `detached` from the terminal of the tests, if they have one, and after
 * the shell command `limit`, such as `ulimit -n 64`. `file` is another version of the program.
 */
export function startSvc(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { detached = false, limit = ':', file = program, cwd = process.cwd() } = {},
) {
  const svc = [process.execPath, file, ...args]
  const child = spawn('sh', ['-c', `${limit} && exec "$@"`, 'sh', ...svc], {
    env: cleanEnvironment(toEnvironment(args, env)),
    detached,
    cwd,
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    /** The next line on standard output. */
    async nextLine(): Promise<string> {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`the program ended without another line: ${errors}`)
      return value
    },
    /** Resolves with the exit code or the signal. */
    ended: once(child, 'exit').then(([code, signal]): { code: number | null; signal: NodeJS.Signals | null } => ({
      code,
      signal,
    })),
    errors: () => errors,
  }
}

/** Returns the environment of a command: on a fleet, with the storage and the key in place of its data directory. */
export function toEnvironment(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const place = args.indexOf('--data-dir')
  const dataDir = place === -1 ? env.SVC_DATA_DIR : args[place + 1]
  const fleet = dataDir && env.SVC_DATABASE === undefined ? findFleetFolder(dataDir) : undefined
  return fleet === undefined ? env : { SVC_API_KEY: fleet.key, ...fleet.variables, ...env }
}

/** Returns the environment of a child without the SVC_* settings of the machine. */
export function cleanEnvironment(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))
  return { ...Object.fromEntries(kept), ...variables }
}
