import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { copyFlags } from './svc-session.js'
import { openTemporaryFolder } from './temporary.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Child {
  readonly process: ChildProcess
  /** Resolves with the first line of standard output. */
  readonly ready: Promise<string>
  /** The lines of standard output so far. */
  readonly lines: string[]
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<unknown>
}

const bundles = new Map<string, Promise<string>>()

/** Bundles a file below `test/`, once, as a program for many processes: to compile TypeScript takes each of them a second. */
export async function bundleProgram(path: string): Promise<(args: readonly string[]) => Child> {
  const bundle = bundles.get(path) ?? bundleFile(path)
  bundles.set(path, bundle)
  const outfile = await bundle
  return (args) => {
    const env = { ...process.env, NODE_PATH: join(root, 'node_modules') }
    const child = spawn(process.execPath, [...copyFlags, outfile, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines: string[] = []
    const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    const ended = once(child, 'close')
    const noLine = ended.then(() => {
      throw new Error('the program ended before it printed a line')
    })
    const ready = Promise.race([once(reader, 'line').then(([line]) => line as string), noLine])
    // The test may kill the process before its first line: that is not an unhandled rejection.
    ready.catch(() => {})
    return { process: child, ready, lines, ended }
  }
}

/** The bundle is removed with this process. */
async function bundleFile(path: string): Promise<string> {
  const { folder, close } = openTemporaryFolder()
  process.once('exit', close)
  const outfile = join(folder, 'program.cjs')
  await build({
    entryPoints: [join(root, 'test', path)],
    outfile,
    bundle: true,
    platform: 'node',
    external: ['better-sqlite3', 'pg', 'sharp'],
    // It finds the files of the program where a bundle of the build does.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'dist/program.cjs')).href) },
    logLevel: 'error',
  })
  return outfile
}
