import { setImmediate as nextTurn } from 'node:timers/promises'
import { Agent, buildConnector, request as send } from 'undici'
import { limitTime } from '../../../runtime/abort.js'
import { joinInTurns } from '../../../runtime/turns.js'
import { tryToParse } from './json.js'

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

/** A response of this size is parsed in place: it takes the main loop a few milliseconds. */
const bytesInPlace = 1 << 20
/** A longer string is a file, or useless. */
const stringBytesAtMost = 64 << 10
/** A response with more strings is not searched to its end. */
const quotesAtMost = 100_000
/** Decoding them takes about 3 ms; then other requests have their turn. */
const bytesPerTurn = 1 << 20

const quote = 0x22
const backslash = 0x5c
const dataUrl = /^data:[^,"]{0,200};base64,/
const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/
const placeholder = /^svc-file-(\d+)$/

/**
 * Parses a response. From a large one, its files are taken out, and decoded in turns: for the SDK, which decodes base64
 * on the main loop, 48 MB take a second. Each long string in base64, or data URL with it, becomes the base64 of its
 * placeholder; any other long string becomes empty. Resolves with undefined if the response is too large without these.
 */
export async function parseResponse(body: Buffer): Promise<Pick<VendorResponse, 'json' | 'files'> | undefined> {
  if (body.length <= bytesInPlace) return { json: tryToParse(body.toString()), files: [] }
  const files: Buffer[] = []
  const parts: Buffer[] = []
  let copied = 0
  for (const { start, end } of findLongStrings(body)) {
    const text = body.subarray(start, end)
    const prefix = dataUrl.exec(text.toString('latin1', 0, 300))?.[0] ?? ''
    const file = await decode(text.subarray(prefix.length))
    const mark = file === undefined ? '' : prefix + btoa(`svc-file-${files.push(file) - 1}`)
    parts.push(body.subarray(copied, start), Buffer.from(mark))
    copied = end
  }
  parts.push(body.subarray(copied))
  const sizeBytes = parts.reduce((sum, { length }) => sum + length, 0)
  return sizeBytes > bytesInPlace ? undefined : { json: tryToParse(Buffer.concat(parts).toString()), files }
}

/** Returns the file that the bytes are a placeholder of, or the bytes. */
export function restoreFile(bytes: Uint8Array, files: readonly Uint8Array[]): Uint8Array {
  if (bytes.length > 32) return bytes
  const index = placeholder.exec(Buffer.from(bytes).toString('latin1'))?.[1]
  return (index === undefined ? undefined : files[Number(index)]) ?? bytes
}

/** Finds the long strings of JSON, without their quotation marks, among the first `quotesAtMost`. */
function findLongStrings(body: Buffer): { readonly start: number; readonly end: number }[] {
  const found: { readonly start: number; readonly end: number }[] = []
  let start: number | undefined
  let at = body.indexOf(quote)
  for (let quotes = 0; at >= 0 && quotes < quotesAtMost; quotes++, at = body.indexOf(quote, at + 1)) {
    if (start === undefined) start = at + 1
    else if (!isEscaped(body, at)) {
      if (at - start > stringBytesAtMost) found.push({ start, end: at })
      start = undefined
    }
  }
  return found
}

/** True if an odd number of backslashes, of at most 100, is before `at`. */
function isEscaped(body: Buffer, at: number): boolean {
  let before = at
  while (before > at - 100 && body[before - 1] === backslash) before--
  return (at - before) % 2 === 1
}

/** Decodes base64 from JSON, where a slash may be escaped. Resolves with undefined if it is something else. */
async function decode(text: Buffer): Promise<Buffer | undefined> {
  const file = Buffer.allocUnsafe(Math.ceil(text.length * 0.75))
  let sizeBytes = 0
  let rest = ''
  for (let at = 0; at < text.length; at += bytesPerTurn) {
    const piece = (rest + text.toString('latin1', at, at + bytesPerTurn)).replaceAll('\\/', '/')
    const isLast = at + bytesPerTurn >= text.length
    const usable = piece.endsWith('\\') ? piece.length - 1 : piece.length
    const whole = isLast ? piece : piece.slice(0, usable - (usable % 4))
    rest = piece.slice(whole.length)
    if (!base64.test(whole)) return undefined
    sizeBytes += file.write(whole, sizeBytes, 'base64')
    await nextTurn()
  }
  return file.subarray(0, sizeBytes)
}
