import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** The screen of a terminal session; `code` is the exit code, or 128 plus the number of the signal. */
export interface Session {
  readonly screen: string
  readonly code: number | null
}

/** The keys to type, or what returns them, when the screen, since the last keys, matches the pattern. */
export type Typing = readonly (readonly [waitsFor: RegExp, keys: string | ((screen: string) => Promise<string>)])[]

export const down = '\u001b[B'
export const enter = '\r'
export const ctrlC = '\u0003'

/** True if script(1) is installed, which creates a terminal. */
export const hasTerminal = (): boolean => spawnSync('script', ['--version']).error === undefined

export const noTerminal = 'script(1), which creates a terminal, is not installed'

/** Runs a shell command on a terminal that is too wide to wrap lines. */
export async function runOnTerminal(
  command: string,
  typing: Typing = [],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string | undefined>> } = {},
): Promise<Session> {
  const child = spawn('script', ['-qec', `stty cols 200; exec ${command}`, '/dev/null'], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  let screen = ''
  let read = 0
  const left = [...typing]
  child.stdout.on('data', (chunk) => {
    screen += chunk
    const [next] = left
    if (next === undefined || !next[0].test(screen.slice(read))) return
    read = screen.length
    left.shift()
    const [, keys] = next
    if (typeof keys === 'string') child.stdin.write(keys)
    else void keys(screen).then((typed) => child.stdin.write(typed))
  })
  const [code] = await once(child, 'exit')
  return { screen: screen.replaceAll('\r', ''), code }
}
