import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment, type Run, type RunOptions, toEnvironment } from './svc.js'
import { openTemporaryFolder } from './temporary.js'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

/**
 * For a copy of the program, whose commands read all texts again and again: V8 optimizes later, which takes a quarter less CPU
 * time. In return, it rejects the code cache of the build, which other sessions start with.
 */
export const copyFlags = ['--interrupt-budget=1000000']

/**
 * Runs commands of the built program in `folder`, one after another, in one process: its start costs more than most
 * commands. Standard input is empty; `user` are the IDs of another user. Use `runSvc` for a command that needs a process of
 * its own, and once per command.
 */
export function openSession(folder: string = checkout, user: { readonly uid?: number; readonly gid?: number } = {}) {
  const { folder: place, close } = openTemporaryFolder()
  const [stdout, stderr] = [join(place, 'stdout'), join(place, 'stderr')]
  const files = [stdout, stderr].map((path) => openSync(path, 'a'))
  const child = fork(fileURLToPath(new URL('svc-session.cjs', import.meta.url)), [folder], {
    ...user,
    execArgv: folder === checkout ? [] : copyFlags,
    stdio: ['ignore', ...files, 'ipc'],
  })
  const ended = once(child, 'exit')
  /** `script` is the program as a shell names it. */
  const run = async (
    args: readonly string[],
    { cwd = process.cwd(), env = {}, script = 'svc' }: RunOptions & { readonly script?: string } = {},
  ): Promise<Run> => {
    for (const file of files) ftruncateSync(file)
    child.send({ args, cwd, env: cleanEnvironment(toEnvironment(args, env)), script })
    const [status] = await Promise.race([
      once(child, 'message'),
      ended.then(([code, signal]) => {
        throw new Error(`the process ended (${signal ?? code}): ${readFileSync(stderr, 'utf8')}`)
      }),
    ])
    return { status, stdout: readFileSync(stdout, 'utf8'), stderr: readFileSync(stderr, 'utf8') }
  }
  return {
    run,
    close: async () => {
      // A `serve` that was refused has left its listener for SIGTERM.
      child.kill('SIGKILL')
      await ended
      for (const file of files) closeSync(file)
      close()
    },
  }
}
