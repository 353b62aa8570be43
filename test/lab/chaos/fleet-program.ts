import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../helpers/media.js'
import { type RunningSvc, runSvcAsync, startSvc } from '../../helpers/svc.js'
import { Caller, type Target } from '../soak/caller.js'
import type { LoadedProgram } from '../soak/program.js'
import type { Outage } from '../soak/rows.js'

interface Server extends Target {
  readonly svc: RunningSvc
  readonly role: Machine['role']
  /** True while it should be ready, and a load balancer sends calls to it unless it is a worker. */
  isOffered: boolean
}

/** A machine of the fleet. */
export interface Machine {
  readonly variables: Readonly<Record<string, string>>
  /** Another version of the program. */
  readonly file?: string
  /** A load balancer sends no calls to a worker. */
  readonly role?: 'web' | 'worker'
}

/** The time after which a load balancer has seen that `/ready` says no. */
const balancerMs = 1000
/** A stop waits so long before it closes the port. */
const readySeconds = 2
const readyMsAtMost = 20_000

/** Returns the environment of a machine whose clock is ahead. */
export function shiftClock(aheadMs: number): Readonly<Record<string, string>> {
  const preload = fileURLToPath(new URL('fast-clock.cjs', import.meta.url))
  return { NODE_OPTIONS: `--require "${preload}"`, CLOCK_AHEAD_MS: String(aheadMs) }
}

/** Several processes of the real program on one database and one bucket, which are killed, paused and stopped. */
export class FleetProgram implements LoadedProgram {
  readonly caller = new Caller(() => this.#findServer())
  readonly send = this.caller.send.bind(this.caller)
  readonly readMoment = Date.now
  /** Times in which facts may be lost that a process had not written yet. */
  readonly outages: Outage[] = []
  /** Faults of the servers. */
  readonly faults: string[] = []
  /** The processes estimate the database's time. */
  readonly clockErrorMs = 1000
  readonly #folder: string
  readonly #variables: Readonly<Record<string, string>>
  readonly #servers = new Map<number, Server>()

  constructor(folder: string, variables: Readonly<Record<string, string>>) {
    this.#folder = folder
    this.#variables = { ...variables, SVC_READY_SECONDS: String(readySeconds) }
  }

  /** Starts a machine. Resolves with the key that it created, if it did. */
  async start(place: number, { variables, file, role }: Machine): Promise<string | undefined> {
    const args = ['serve', '--port', '0', '--json', '--data-dir', join(this.#folder, `machine-${place}`)]
    if (role !== undefined) args.push('--role', role)
    const svc = startSvc(args, { ...this.#variables, ...variables }, { file })
    const { url, key } = JSON.parse(await svc.nextLine())
    const agent = new Agent({ keepAlive: true })
    this.#servers.set(place, { svc, url, agent, role, isKilled: false, isOffered: true })
    return key?.key
  }

  /** Kills a machine, as a loss of its power does. */
  async kill(place: number): Promise<void> {
    const server = this.#get(place)
    server.isKilled = true
    server.isOffered = false
    await this.suffer(() => this.#end(place, 'SIGKILL'))
  }

  /** Stops a machine in the middle of what it does, and lets it go on after `ms`. */
  async pause(place: number, ms: number): Promise<void> {
    const server = this.#get(place)
    server.isOffered = false
    // The shell of `startSvc` has become the program.
    server.svc.child.kill('SIGSTOP')
    await delay(ms)
    await this.suffer(async () => {
      server.svc.child.kill('SIGCONT')
      await this.#untilReady(server)
    })
    server.isOffered = true
  }

  /** Stops a machine as a system does, which its callers notice later. No call may be lost. */
  async stop(place: number): Promise<void> {
    const server = this.#get(place)
    const ended = this.#end(place, 'SIGTERM')
    await delay(balancerMs)
    server.isOffered = false
    const code = await ended
    if (code !== 0) this.faults.push(`SIGTERM ended machine ${place} with ${code}`)
  }

  /** Records the time of `event`, after which all machines must be ready. */
  async suffer(event: () => Promise<unknown>): Promise<void> {
    const atMs = Date.now()
    await event()
    const offered = [...this.#servers.values()].filter(({ isOffered }) => isOffered)
    await Promise.all(offered.map((server) => this.#untilReady(server)))
    this.outages.push({ atMs, readyAtMs: Date.now() })
  }

  /** Ends all machines. */
  async close(): Promise<void> {
    for (const place of [...this.#servers.keys()]) await this.#end(place, 'SIGKILL')
  }

  async run(...args: string[]): Promise<Json> {
    const { status, stdout, stderr } = await runSvcAsync([...args, '--json'], { env: this.#variables })
    if (status !== 0) throw new Error(`svc ${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }

  #get(place: number): Server {
    const server = this.#servers.get(place)
    if (server === undefined) throw new Error(`machine ${place} does not run`)
    return server
  }

  /** Returns one of the servers that a load balancer would choose. */
  async #findServer(): Promise<Server> {
    for (;;) {
      const offered = [...this.#servers.values()].filter(({ isOffered, role }) => isOffered && role !== 'worker')
      const server = offered[Math.floor(Math.random() * offered.length)]
      if (server !== undefined) return server
      await delay(20)
    }
  }

  async #untilReady({ url }: Server): Promise<void> {
    for (const giveUpAt = Date.now() + readyMsAtMost; Date.now() < giveUpAt; await delay(50)) {
      const response = await fetch(`${url}/ready`).catch(() => undefined)
      await response?.arrayBuffer()
      if (response?.status === 200) return
    }
    this.faults.push(`a machine is not ready ${readyMsAtMost / 1000} s after an outage`)
  }

  async #end(place: number, signal: NodeJS.Signals): Promise<number | null> {
    const { svc, agent } = this.#get(place)
    // A paused process takes the signal when it goes on.
    if (signal === 'SIGKILL') svc.child.kill('SIGCONT')
    svc.child.kill(signal)
    const { code } = await svc.ended
    if (svc.errors() !== '') this.faults.push(`machine ${place} wrote on standard error: ${svc.errors()}`)
    this.#servers.delete(place)
    agent.destroy()
    return code
  }
}
