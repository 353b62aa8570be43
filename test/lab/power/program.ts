import { spawnSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../helpers/media.js'
import { runSvcAsync, startSvc } from '../../helpers/svc.js'
import type { Program } from './workload.js'

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
export interface LoggedProgram extends Program {
  /** The folder that is logged; the data directory is in it. */
  readonly root: string
  readonly dataDir: string
  readonly log: string
  /** Returns the size of the log: the program has made the changes before it, and may be making others. */
  readMoment(): number
  /** Starts the server; `stop` ends it by SIGTERM, and `kill` if it still runs. */
  serve(): Promise<{ stop(): Promise<void>; kill(): void }>
}

export function createLoggedProgram(folder: string, library: string): LoggedProgram {
  const root = join(folder, 'disk')
  const dataDir = join(root, 'data')
  const log = join(folder, 'log')
  mkdirSync(root)
  const environment = { LD_PRELOAD: library, POWER_ROOT: root, POWER_LOG: log, UV_USE_IO_URING: '0' }
  const agent = new Agent({ keepAlive: true })
  let url = ''
  let key = ''
  let calls = 0

  async function run(...args: string[]): Promise<Json> {
    const { status, stdout, stderr } = await runSvcAsync([...args, '--json', '--data-dir', dataDir], {
      env: environment,
    })
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }

  return {
    root,
    dataDir,
    log,
    readMoment: () => statSync(log).size,
    run,
    async serve() {
      if (key === '')
        ({ key } = await run('key', 'create', '--name', 'power', '--admin', '--rate-limit', '0', '--keep'))
      const svc = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir], environment)
      ;({ url } = JSON.parse(await svc.nextLine()))
      return {
        kill: () => void svc.child.kill('SIGKILL'),
        async stop() {
          svc.child.kill('SIGTERM')
          const { code } = await svc.ended
          if (code !== 0) throw new Error(`the server ended with ${code}: ${svc.errors()}`)
        },
      }
    },
    send(method, path, body, headers = {}) {
      const requestId = `call-${++calls}`
      const sentAtMs = Date.now()
      const all = {
        authorization: `Bearer ${key}`,
        'x-request-id': requestId,
        'content-type': 'application/json',
        ...headers,
      }
      return new Promise((resolve, reject) => {
        const call = request(url + path, { method, agent, headers: all }, async (response) => {
          const text = Buffer.concat(await response.toArray()).toString()
          const answered = { status: response.statusCode ?? 0, body: text && JSON.parse(text), requestId, sentAtMs }
          if (answered.status >= 300) reject(new Error(`${method} ${path} ${text}`))
          else resolve(answered)
        })
        call.on('error', reject)
        call.end(Buffer.isBuffer(body) || body === undefined ? body : JSON.stringify(body))
      })
    },
  }
}
