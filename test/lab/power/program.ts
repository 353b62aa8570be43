import { spawnSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../helpers/media.js'
import { runSvcAsync, startSvc } from '../../helpers/svc.js'
import { Caller } from '../soak/caller.js'

/** Compiles the library that logs, or another one of this folder. Returns the reason if this machine cannot. */
export function compilePreload(library: string, name = 'preload.c'): string | undefined {
  if (process.platform !== 'linux') return 'LD_PRELOAD needs Linux'
  const source = fileURLToPath(new URL(name, import.meta.url))
  const { error, status, stderr } = spawnSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
  if (error !== undefined) return `${name} cannot be compiled: gcc is not installed`
  if (status !== 0) throw new Error(String(stderr))
  return undefined
}

/** The real program on one data directory, whose changes are logged. */
export function createLoggedProgram(folder: string, library: string) {
  // The data directory is in the folder that is logged.
  const root = join(folder, 'disk')
  const dataDir = join(root, 'data')
  const log = join(folder, 'log')
  mkdirSync(root)
  const env = { LD_PRELOAD: library, POWER_ROOT: root, POWER_LOG: log, UV_USE_IO_URING: '0' }
  const target = { url: '', agent: new Agent({ keepAlive: true }), isKilled: false }
  const caller = new Caller(async () => target)

  async function run(...args: string[]): Promise<Json> {
    const { status, stdout, stderr } = await runSvcAsync([...args, '--json', '--data-dir', dataDir], { env })
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }

  return {
    root,
    dataDir,
    log,
    /** Returns the size of the log: the program has made the changes before it, and may be making others. */
    readMoment: () => statSync(log).size,
    run,
    send: caller.send.bind(caller),
    /** Starts the server; `stop` ends it by SIGTERM, and `kill` if it still runs. */
    async serve() {
      const created = await run('key', 'create', '--name', 'power', '--admin', '--rate-limit', '0', '--keep')
      caller.key = created.key
      const svc = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir], env)
      target.url = JSON.parse(await svc.nextLine()).url
      return {
        kill: () => void svc.child.kill('SIGKILL'),
        async stop() {
          svc.child.kill('SIGTERM')
          const { code } = await svc.ended
          if (code !== 0) throw new Error(`the server ended with ${code}: ${svc.errors()}`)
        },
      }
    },
  }
}
