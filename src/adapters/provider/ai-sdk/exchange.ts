import { Agent, buildConnector, request } from 'undici'
import { limitTime } from '../../../abort.js'

/** What a service answered, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Undefined if the body is no JSON. */
  readonly json: unknown
}

export interface Sending {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** How an exchange ended without an answer; only of `not_sent` it is sure that nothing arrived. */
export class WireFault extends Error {
  override readonly name = 'WireFault'
  readonly kind: 'not_sent' | 'lost' | 'timed_out' | 'too_large'

  constructor(kind: WireFault['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export interface Line {
  /** Sends, and reads the answer. Throws `WireFault`, or the reason of `signal`. Redirects are answers like any other. */
  exchange(sending: Sending, limits: { timeoutMs: number; signal: AbortSignal }): Promise<Answer>
  close(): Promise<void>
}

const connectMs = 10_000
/** A picture of 4096 x 4096 pixels in base64 stays below. */
const bytesAtMost = 96 << 20

/**
 * The connections to one model service. Each call has its own: one that was kept open may break as it is used again, and
 * then nobody knows whether the call arrived.
 */
export function openLine(): Line {
  const connector = buildConnector({ timeout: connectMs })
  const unconnected = new WeakSet<Error>()
  const agent = new Agent({
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) =>
      connector(options, (...outcome) => {
        if (outcome[0] !== null) unconnected.add(outcome[0])
        callback(...outcome)
      }),
  })

  async function exchange({ url, ...sending }: Sending, limits: { timeoutMs: number; signal: AbortSignal }) {
    const { timeoutMs, signal } = limits
    const limit = limitTime(Math.max(1, timeoutMs), signal)
    try {
      const options = { ...sending, method: sending.method as 'GET' | 'POST', dispatcher: agent }
      const { statusCode, headers, body } = await request(url, { ...options, signal: limit.signal })
      const bytes = await read(body)
      return { status: statusCode, headers: flatten(headers), body: bytes, json: parse(bytes) }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof WireFault) throw error
      if (limit.isOver()) throw new WireFault('timed_out', `no answer in ${timeoutMs} ms`)
      const isUnsent = error instanceof Error && unconnected.has(error)
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
      throw new WireFault(isUnsent ? 'not_sent' : 'lost', isUnsent ? `no connection (${code})` : `cut off (${code})`)
    } finally {
      limit.close()
    }
  }

  return { exchange, close: () => agent.destroy() }
}

async function read(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > bytesAtMost) throw new WireFault('too_large', `the answer has more than ${bytesAtMost} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    // What is no JSON is judged by its status.
    return undefined
  }
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
