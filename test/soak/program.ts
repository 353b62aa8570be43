import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Json } from '../helpers/media.js'
import { type RunningSvc, runSvcAsync, startSvc } from '../helpers/svc.js'
import type { Answered, Program } from '../power/workload.js'
import { listChildren } from './memory.js'

/** A call and its answer. */
export interface Call {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly headers: Record<string, string>
  /** True if an earlier call has the same Idempotency-Key. */
  readonly isRepeat: boolean
  /** Undefined until the answer arrives. */
  answered?: Answered
}

export interface Kill {
  readonly atMs: number
  /** The time at which the next server was ready. */
  readonly readyAtMs: number
}

/** The server was killed before it answered, or refused the call for now. */
export class LostAnswer extends Error {}

interface Server {
  readonly svc: RunningSvc
  readonly pid: number
  readonly url: string
  readonly agent: Agent
  isKilled: boolean
}

/** The pause after an answer of 503. */
const refusedMs = 100
/** A child that outlives its server for longer is left over. */
const childrenEndMs = 10_000
const environment = { SVC_STUB_DELAY_MS: '20', SVC_ALLOW_PRIVATE_URLS: '1' }

/** The real program on one data directory, with a server that is killed and started again. */
export class KilledProgram implements Program {
  readonly dataDir: string
  /** The calls that may have stored something, in their order. */
  readonly sent: Call[] = []
  /** The answered calls with an Idempotency-Key, without their repetitions. */
  readonly keyed: Call[] = []
  /** The number of answers by kind of call and status. */
  readonly answers = new Map<string, Map<string, number>>()
  readonly kills: Kill[] = []
  /** Faults of the servers. */
  readonly faults: string[] = []
  #key = ''
  #count = 0
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

  /** The share of answers that are 503: a busy machine may keep the database from storing insights for 100 ms. */
  get refusedShare(): number {
    const counts = [...this.answers.values()].flatMap((kinds) => [...kinds])
    const sum = (entries: typeof counts) => entries.reduce((total, [, count]) => total + count, 0)
    return sum(counts.filter(([status]) => status === '503')) / sum(counts)
  }

  async run(...args: string[]): Promise<Json> {
    const { status, stdout, stderr } = await runSvcAsync([...args, '--json', '--data-dir', this.dataDir])
    if (status !== 0) throw new Error(`svc ${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }

  readMoment(): number {
    return Date.now()
  }

  /**
   * Rejects if the status is not `expected`, and with LostAnswer if the server is killed or answers 503, unless it can send
   * the call again.
   */
  send(method: string, path: string, body?: unknown, headers = {}, expected = [200, 204]): Promise<Answered> {
    return this.#deliver({ requestId: this.#nextId(), method, path, body, headers, isRepeat: false }, expected)
  }

  /** Sends an answered call with an Idempotency-Key again. Rejects if it made another task. */
  async repeat(earlier: Call): Promise<void> {
    const { body } = await this.#deliver({ ...earlier, requestId: this.#nextId(), isRepeat: true }, [200])
    const made = earlier.answered?.body.task_id
    if (body.task_id !== made) throw new Error(`${earlier.requestId} made ${made}, its repetition ${body.task_id}`)
  }

  #nextId(): string {
    return `call-${++this.#count}`
  }

  /** Sends a call until it is answered. A read, and a call with an Idempotency-Key, is sent again after a kill or a 503. */
  async #deliver(call: Call, expected: readonly number[]): Promise<Answered> {
    const { method, path, requestId, isRepeat } = call
    const isKeyed = 'idempotency-key' in call.headers
    if (method !== 'GET') this.sent.push(call)
    const sentAtMs = Date.now()
    for (;;) {
      const server = await this.server()
      try {
        const answered = { ...(await this.#exchange(server, call)), requestId, sentAtMs }
        call.answered = answered
        this.#countAnswer(call, String(answered.status))
        if (expected.includes(answered.status)) {
          if (isKeyed && !isRepeat) this.keyed.push(call)
          return answered
        }
        if (answered.status !== 503) break
        await delay(refusedMs)
      } catch (cause) {
        if (!server.isKilled) throw new Error(`${method} ${path} was not answered`, { cause })
        this.#countAnswer(call, 'lost')
      }
      if (method !== 'GET' && !isKeyed) throw new LostAnswer()
    }
    throw new Error(`${method} ${path} ${requestId}: ${call.answered.status} ${JSON.stringify(call.answered.body)}`)
  }

  async #exchange({ url, agent }: Server, { method, path, body, requestId, headers }: Call) {
    const authorization = `Bearer ${this.#key}`
    const all = { authorization, 'x-request-id': requestId, 'content-type': 'application/json', ...headers }
    const sending = request(url + path, { method, agent, headers: all })
    sending.end(Buffer.isBuffer(body) || body === undefined ? body : JSON.stringify(body))
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    const bytes = Buffer.concat(await response.toArray())
    const isJson = response.headers['content-type']?.startsWith('application/json') === true
    return { status: response.statusCode ?? 0, body: isJson ? JSON.parse(bytes.toString()) : bytes }
  }

  #countAnswer({ method, path, isRepeat }: Call, status: string): void {
    const place = path.replace(/\?.*/, '').replace(/(objects|tasks)\/.*/, '$1/…')
    const kind = `${method} ${place}${isRepeat ? ', repeated' : ''}`
    const counts = this.answers.get(kind) ?? new Map<string, number>()
    this.answers.set(kind, counts.set(status, (counts.get(status) ?? 0) + 1))
  }

  async #start(): Promise<Server> {
    if (this.#key === '') {
      const created = await this.run('key', 'create', '--name', 'soak', '--admin', '--rate-limit', '0', '--keep')
      this.#key = created.key
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
