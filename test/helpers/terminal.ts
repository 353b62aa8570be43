import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment } from './svc.js'
import { copyFlags } from './svc-session.js'

/** The keys to type, or what returns them, when the screen, since the last keys, matches the pattern. */
export type Typing = readonly (readonly [waitsFor: RegExp, keys: string | ((screen: string) => Promise<string>)])[]

export const down = '\u001b[B'
export const enter = '\r'
export const ctrlC = '\u0003'

/** True if script(1) is installed, which creates a terminal. */
export const hasTerminal = (): boolean => spawnSync('script', ['--version']).error === undefined

export const noTerminal = 'script(1), which creates a terminal, is not installed'

/**
 * Runs a shell command on a terminal that is too wide to wrap lines. Returns the screen, and the exit code or 128 plus the
 * number of the signal.
 */
export async function runOnTerminal(
  command: string,
  typing: Typing = [],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string | undefined>> } = {},
) {
  const child = spawn('script', ['-qec', `stty cols 200; exec ${command}`, '/dev/null'], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  let screen = ''
  const type = createTypist(typing, (keys) => child.stdin.write(keys))
  child.stdout.on('data', (chunk) => {
    screen += chunk
    type(screen)
  })
  const [code]: (number | null)[] = await once(child, 'exit')
  return { screen: screen.replaceAll('\r', ''), code }
}

/** Returns what types the next keys when the screen asks for them. */
function createTypist(typing: Typing, write: (keys: string) => void): (screen: string) => void {
  let read = 0
  const left = [...typing]
  return (screen) => {
    const [next] = left
    if (next === undefined || !next[0].test(screen.slice(read))) return
    read = screen.length
    left.shift()
    const [, keys] = next
    if (typeof keys === 'string') write(keys)
    else void keys(screen).then(write)
  }
}

const commandMsAtMost = 100_000

/** Ends what a command printed, where `svc-session.cjs` runs on a terminal. */
const endMark = '\u001b]end\u0007'

/**
 * Runs commands of the built program in `folder` on a terminal, one after another, in one process: see `openSession`. Use
 * `runOnTerminal` for a command that is killed, and once per command.
 */
export function openTerminalSession(folder: string) {
  const session = fileURLToPath(new URL('svc-session.cjs', import.meta.url))
  const command = `stty cols 200; exec "${process.execPath}" ${copyFlags.join(' ')} "${session}" "${folder}"`
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('script(1) has no standard input or output')
  stdout.setEncoding('utf8')
  const run = async (args: readonly string[], typing: Typing = [], env: Readonly<Record<string, string>> = {}) => {
    let screen = ''
    const type = createTypist(typing, (keys) => stdin.write(keys))
    const printed = new Promise<void>((resolve) => {
      stdout.on('data', (chunk) => {
        screen += chunk
        type(screen)
        if (screen.endsWith(endMark)) resolve()
      })
    })
    child.send({ args, cwd: folder, env: cleanEnvironment({ NO_COLOR: '1', ...env }), script: 'svc' })
    const done = Promise.all([once(child, 'message'), printed])
    // A command that asks something else waits for ever.
    const limit = setTimeout(() => child.kill('SIGKILL'), commandMsAtMost).unref()
    const [[code]] = await Promise.race([
      done,
      ended.then(() => {
        throw new Error(`the process ended: ${screen}`)
      }),
    ])
    clearTimeout(limit)
    stdout.removeAllListeners('data')
    return { screen: screen.slice(0, -endMark.length).replaceAll('\r', ''), code }
  }
  return {
    run,
    close: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
