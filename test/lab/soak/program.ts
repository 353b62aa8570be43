import { existsSync } from 'node:fs'
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Json } from '../../helpers/media.js'
import { type RunningSvc, runSvcAsync, startSvc } from '../../helpers/svc.js'
import type { Program } from '../power/workload.js'
import { Caller, type Target } from './caller.js'
import { listChildren } from './memory.js'
import type { Outage } from './rows.js'

/** A program under load. */
export interface LoadedProgram extends Program {
  readonly caller: Caller
}

interface Server extends Target {
  readonly svc: RunningSvc
  readonly pid: number
}

/** A child that outlives its server for longer is left over. */
const childrenEndMs = 10_000
const environment = { SVC_STUB_DELAY_MS: '20', SVC_ALLOW_PRIVATE_URLS: '1' }

/** The real program on one data directory, with a server that is killed and started again. */
export class KilledProgram implements LoadedProgram {
  readonly dataDir: string
  readonly caller = new Caller(() => this.server())
  /** The times of the kills, and at which the next server was ready. */
  readonly kills: Outage[] = []
  /** Faults of the servers. */
  readonly faults: string[] = []
  /** The commands that succeeded, such as `key create`. */
  readonly commands = new Set<string>()
  readonly send = this.caller.send.bind(this.caller)
  readonly readMoment = Date.now
  #server: Promise<Server> | undefined

  constructor(dataDir: string) {
    this.dataDir = dataDir
  }

  /** Returns the running server. The first call starts it; after a kill, it waits for the next one. */
  async server(): Promise<Server> {
    this.#server ??= this.#start()
    return this.#server
  }

  /** Kills the server and starts the next one on the same data directory. */
  async kill(): Promise<void> {
    const killed = await this.server()
    const children = listChildren(killed.pid)
    const atMs = Date.now()
    killed.isKilled = true
    this.#server = this.#end(killed, 'SIGKILL').then(() => this.#start())
    await this.#server
    this.kills.push({ atMs, readyAtMs: Date.now() })
    const listLeft = () => children.filter((pid) => existsSync(`/proc/${pid}`))
    while (listLeft().length > 0 && Date.now() < atMs + childrenEndMs) await delay(50)
    if (listLeft().length > 0) this.faults.push(`${listLeft().length} children outlived their server`)
  }

  /** Stops the server as a system does. */
  async stop(): Promise<void> {
    const code = await this.#end(await this.server(), 'SIGTERM')
    if (code !== 0) this.faults.push(`SIGTERM ended the server with ${code}`)
  }

  /** Ends the server if it runs. */
  async close(): Promise<void> {
    const server = await this.#server?.catch(() => undefined)
    if (server !== undefined) await this.#end(server, 'SIGKILL')
  }

  async run(...args: string[]): Promise<Json> {
    const { status, stdout, stderr } = await runSvcAsync([...args, '--json', '--data-dir', this.dataDir])
    if (status !== 0) throw new Error(`svc ${args.join(' ')}: ${stderr}`)
    this.commands.add(args.slice(0, 2).join(' '))
    return JSON.parse(stdout)
  }

  async #start(): Promise<Server> {
    if (this.caller.key === '') {
      const created = await this.run('key', 'create', '--name', 'soak', '--admin', '--rate-limit', '0', '--keep')
      this.caller.key = created.key
    }
    const svc = startSvc(['serve', '--port', '0', '--json', '--data-dir', this.dataDir], environment)
    const { url } = JSON.parse(await svc.nextLine())
    return { svc, pid: svc.child.pid ?? 0, url, agent: new Agent({ keepAlive: true }), isKilled: false }
  }

  async #end({ svc, agent }: Server, signal: NodeJS.Signals): Promise<number | null> {
    svc.child.kill(signal)
    const { code } = await svc.ended
    if (svc.errors() !== '') this.faults.push(`a server wrote on standard error: ${svc.errors()}`)
    agent.destroy()
    return code
  }
}
