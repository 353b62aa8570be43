import { Agent, buildConnector, request as send } from 'undici'
import { limitTime } from '../../../runtime/abort.js'
import { joinInTurns } from '../../../runtime/turns.js'
import { parseResponse } from './parse-response.js'

/** A response, read to its end. */
export interface VendorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined if the body is not JSON. */
  readonly json: unknown
  /** The files that were taken out of `json` (see `restoreFile`). */
  readonly files: readonly Uint8Array[]
}

export interface OutgoingRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** The end of an exchange without a response; only `not_sent` guarantees that nothing arrived. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
  readonly kind: 'not_sent' | 'lost' | 'timed_out' | 'too_large'

  constructor(kind: ExchangeError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export interface HttpClient {
  /**
   * Sends a request and reads the response. Throws `ExchangeError`, or the reason of `signal`. Does not follow
   * redirects.
   */
  exchange(request: OutgoingRequest, limits: { timeoutMs: number; signal: AbortSignal }): Promise<VendorResponse>
  close(): Promise<void>
}

const connectMs = 10_000
/** A picture of 4096 x 4096 pixels in base64 is smaller. */
const bytesAtMost = 96 << 20

/**
 * Opens an HTTP client for one vendor. Each call has its own connection: a kept-alive one may break as it is reused,
 * and then it is unknown whether the call arrived.
 */
export function openHttpClient(): HttpClient {
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

  async function exchange({ url, ...request }: OutgoingRequest, limits: { timeoutMs: number; signal: AbortSignal }) {
    const { timeoutMs, signal } = limits
    const limit = limitTime(Math.max(1, timeoutMs), signal)
    try {
      const options = { ...request, method: request.method as 'GET' | 'POST', dispatcher: agent }
      const { statusCode, headers, body } = await send(url, { ...options, signal: limit.signal })
      const parsed = await parseResponse(await read(body))
      if (parsed === undefined) throw new ExchangeError('too_large', 'the response is too large without its files')
      return { status: statusCode, headers: flatten(headers), ...parsed }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ExchangeError) throw error
      if (limit.isOver()) throw new ExchangeError('timed_out', `no response in ${timeoutMs} ms`)
      const isUnsent = error instanceof Error && unconnected.has(error)
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
      throw new ExchangeError(
        isUnsent ? 'not_sent' : 'lost',
        isUnsent ? `no connection (${code})` : `the connection broke (${code})`,
      )
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
    if (sizeBytes > bytesAtMost) throw new ExchangeError('too_large', `the response has more than ${bytesAtMost} bytes`)
    chunks.push(chunk)
  }
  return joinInTurns(chunks)
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
