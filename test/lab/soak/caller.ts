import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answered } from '../power/workload.js'

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

/** The server was killed before it answered, or refused the call for now. */
export class LostAnswer extends Error {}

/** A server as its callers see it. */
export interface Target {
  readonly url: string
  readonly agent: Agent
  /** True if answers may be lost. */
  isKilled: boolean
}

/** The pause after an answer of 503. */
const refusedMs = 100
/** After a lost answer, the key of the call is free when the process that held it is known to be gone. */
const heldMsAtMost = 15_000

/** Sends calls to servers that may be killed, and records the answers. */
export class Caller {
  /** The calls that may have stored something, in their order. */
  readonly sent: Call[] = []
  /** The answered calls with an Idempotency-Key, without their repetitions. */
  readonly keyed: Call[] = []
  /** The number of answers by kind of call and status. */
  readonly answers = new Map<string, Map<string, number>>()
  /** The API key. */
  key = ''
  readonly #findTarget: () => Promise<Target>
  #count = 0

  /** `findTarget` returns a server for a call, and waits for one if no server runs. */
  constructor(findTarget: () => Promise<Target>) {
    this.#findTarget = findTarget
  }

  /** The share of answers that are 503: a busy machine may keep the database from storing insights for 100 ms. */
  get refusedShare(): number {
    const counts = [...this.answers.values()].flatMap((kinds) => [...kinds])
    const sum = (entries: typeof counts) => entries.reduce((total, [, count]) => total + count, 0)
    return sum(counts.filter(([status]) => status === '503')) / sum(counts)
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
    let lostAtMs = Number.NEGATIVE_INFINITY
    for (;;) {
      const target = await this.#findTarget()
      const askedAtMs = Date.now()
      try {
        const answered = { ...(await this.#exchange(target, call)), requestId, sentAtMs }
        call.answered = answered
        this.#countAnswer(call, String(answered.status))
        if (expected.includes(answered.status)) {
          if (isKeyed && !isRepeat && answered.status === 200) this.keyed.push(call)
          return answered
        }
        if (answered.status === 503) lostAtMs = Date.now()
        // Not from now on: a machine that is paused answers late with what it found before.
        const isHeld = answered.status === 409 && isKeyed && askedAtMs - lostAtMs < heldMsAtMost
        if (answered.status !== 503 && !isHeld) break
        await delay(refusedMs)
      } catch (cause) {
        if (!target.isKilled) throw new Error(`${method} ${path} ${requestId} was not answered: ${cause}`, { cause })
        lostAtMs = Date.now()
        this.#countAnswer(call, 'lost')
      }
      if (method !== 'GET' && !isKeyed) throw new LostAnswer()
    }
    throw new Error(`${method} ${path} ${requestId}: ${call.answered.status} ${JSON.stringify(call.answered.body)}`)
  }

  async #exchange({ url, agent }: Target, { method, path, body, requestId, headers }: Call) {
    const authorization = `Bearer ${this.key}`
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
}
