import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** What was on the screen, and how the command ended; `code` is 128 and the number of the signal that ended it. */
export interface Session {
  readonly screen: string
  readonly code: number | null
}

/** What is typed, once the screen shows what it waits for since the last answer. */
export type Typing = readonly (readonly [waitsFor: RegExp, keys: string])[]

export const down = '\u001b[B'
export const enter = '\r'
export const ctrlC = '\u0003'

/** Whether there is script(1), which makes a terminal. */
export const hasTerminal = (): boolean => spawnSync('script', ['--version']).error === undefined

export const noTerminal = 'there is no script(1) to make a terminal with'

/** Runs a shell command on a terminal that is wide enough for a line to stay one. */
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
    child.stdin.write(next[1])
  })
  const [code] = await once(child, 'exit')
  return { screen: screen.replaceAll('\r', ''), code }
}
