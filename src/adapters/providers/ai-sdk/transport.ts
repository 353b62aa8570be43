import { setTimeout as wait } from 'node:timers/promises'
import { downloadResult } from './download-result.js'
import {
  type Failure,
  isKeyRefused,
  judgeResponse,
  judgeUnusable,
  mayBeCharged,
  readRetryAfterMs,
  toError,
} from './failure.js'
import {
  ExchangeError,
  type HttpClient,
  type OutgoingRequest,
  restoreFile,
  type VendorResponse,
} from './http-client.js'
import type { PurchaseRecord } from './purchase-record.js'
import { describeResponse, findRefusal, isAboutContent, isAboutModel, readReason, toLine } from './reason.js'
import type { Secrets } from './redact.js'
import type { Timeouts } from './timeouts.js'
import type { OrderProtocol } from './vendor.js'

/** Everything that one attempt works with. */
interface AttemptContext {
  readonly client: HttpClient
  readonly record: PurchaseRecord
  readonly timeouts: Timeouts
  readonly signal: AbortSignal
  readonly baseUrl: string
  readonly allowPrivate: boolean
  readonly secrets: Secrets
  /** Undefined if the response contains the result. */
  readonly orders: OrderProtocol | undefined
  /** True if the SDK polls the order; it then also receives the result's URL. */
  readonly isClip: boolean
  locate(url: string): string
  /** Logs a problem that is retried here. */
  warn(detail: string): void
}

/** The SDK's access to a vendor during one attempt. */
export interface VendorTransport {
  readonly fetch: typeof fetch
  /** Downloads a result. */
  download(url: URL): Promise<Uint8Array>
  /** Returns the file of the last response that a result of the SDK is a placeholder of; other results as they are. */
  restore(result: Uint8Array): Uint8Array
}

/**
 * Returns a `fetch` that buys once: the record records a purchase before it is sent, and a repeated order is answered from
 * the record. The SDK sees only successes, and of an order only its end: errors, waits and polls are handled here, because
 * the SDK would lose their reasons or buy again. Throws ProviderError.
 */
export function openTransport(context: AttemptContext): VendorTransport {
  const { orders, isClip } = context
  let files: VendorResponse['files'] = []
  const reply = (response: VendorResponse): Response => {
    files = response.files
    return Response.json(response.json)
  }
  const order = async (protocol: OrderProtocol, request: OutgoingRequest): Promise<Response> => {
    const { record, baseUrl } = context
    if (record.order === undefined) {
      const reference = protocol.keep((await buy(context, request)).json)
      if (reference === undefined) throw await fail(context, judgeUnusable('the response to an order has no ID'))
      await record.keep(reference)
    }
    const reference = record.order ?? {}
    const url = isClip ? undefined : protocol.findUrl?.(reference, baseUrl)
    if (url === undefined) return Response.json(protocol.replay(reference, baseUrl))
    const { authorization = '' } = request.headers
    return reply(await pollOrder(context, { url, method: 'GET', headers: { authorization }, body: null }))
  }
  return {
    download: (url) => download(context, url),
    restore: (result) => restoreFile(result, files),
    async fetch(input, init) {
      const request = await toOutgoing(new Request(input, init), context)
      if (request.method !== 'GET') {
        return orders ? order(orders, request) : reply(await buy(context, request))
      }
      if (isClip) return reply(await pollOrder(context, request))
      return new Response(Buffer.from(await download(context, new URL(request.url))))
    },
  }
}

async function toOutgoing(request: Request, { locate }: AttemptContext): Promise<OutgoingRequest> {
  const { url, method, headers } = request
  const body = method === 'GET' ? null : Buffer.from(await request.arrayBuffer())
  return { url: locate(url), method, headers: Object.fromEntries(headers), body }
}

/** Sends a request that buys, and returns a successful response. Throws ProviderError for any other. */
async function buy(context: AttemptContext, request: OutgoingRequest): Promise<VendorResponse> {
  if (context.record.sentAt !== undefined) throw new Error('a second purchase in one attempt')
  const response = await send(context, request)
  if (response.status < 200 || response.status > 299) throw await fail(context, judgeResponse(response, Date.now()))
  if (response.json === undefined) throw await fail(context, judgeUnusable(`HTTP ${response.status} without JSON`))
  const refusal = findRefusal(response.json)
  if (refusal === undefined) return response
  const isContent = isAboutContent(refusal)
  throw await fail(context, {
    code: isContent ? 'content_refused' : 'provider_error',
    wire: refusal.isCharged ? 'ambiguous' : 'refused',
    retryable: !isContent,
    detail: toLine(refusal),
  })
}

async function send(context: AttemptContext, request: OutgoingRequest): Promise<VendorResponse> {
  const { client, record, timeouts, signal, orders } = context
  await record.begin()
  if (signal.aborted) {
    await record.forget()
    signal.throwIfAborted()
  }
  const timeoutMs = Math.min(orders ? timeouts.order : timeouts.picture, record.until - Date.now())
  try {
    return await client.exchange(request, { timeoutMs, signal })
  } catch (error) {
    throw error instanceof ExchangeError ? await fail(context, judgeExchangeError(error)) : error
  }
}

function judgeExchangeError({ kind, message: detail }: ExchangeError): Failure {
  if (kind === 'not_sent') return { code: 'provider_error', wire: 'not_sent', retryable: true, detail }
  if (kind === 'too_large') return judgeUnusable(detail)
  return { code: kind === 'timed_out' ? 'timed_out' : 'provider_error', wire: 'ambiguous', retryable: true, detail }
}

const maxDownloads = 4

/**
 * Polls an order until it ends, and returns the response that says so. Throws ProviderError if the order failed, or with
 * `ordered` if its state cannot be determined for now: another attempt polls again.
 */
async function pollOrder(context: AttemptContext, request: OutgoingRequest): Promise<VendorResponse> {
  for (;;) {
    const response = await pollOnce(context, request)
    if (response instanceof ExchangeError) {
      if (response.kind === 'too_large') throw await fail(context, judgeUnusable(response.message, true))
      context.warn(response.message)
      await pause(context, { problem: response.message })
      continue
    }
    const order = context.orders?.read(response)
    if (order?.state === 'done') return response
    if (order?.state === 'failed') throw await fail(context, order.failure)
    const problem = order === undefined ? await checkResponse(context, response) : undefined
    await pause(context, { problem, requestedMs: readRetryAfterMs(response.headers, response.json, Date.now()) })
  }
}

async function pollOnce(
  { client, record, timeouts, signal }: AttemptContext,
  request: OutgoingRequest,
): Promise<VendorResponse | ExchangeError> {
  try {
    // Polls even if the order's time is over: it may have completed long before a restart.
    const timeoutMs = Math.max(0, Math.min(timeouts.poll, record.latest - Date.now()))
    return await client.exchange(request, { timeoutMs, signal })
  } catch (error) {
    if (error instanceof ExchangeError) return error
    throw error
  }
}

/** Describes a response without an order state. Throws if polling again would not help. */
async function checkResponse(context: AttemptContext, { status, json }: VendorResponse): Promise<string> {
  const { record, timeouts } = context
  const reason = readReason(json)
  const problem = describeResponse(status, reason)
  context.warn(problem)
  if (status < 300 || status === 408 || status === 429 || status >= 500) return problem
  const isGone = isAboutModel(reason)
  const isUnknown = status === 404 || status === 410
  if (isUnknown && !isGone && Date.now() - (record.sentAt ?? 0) < timeouts.unknown) return problem
  throw await fail(context, {
    code: isKeyRefused(status, reason) ? 'provider_unauthorized' : isGone ? 'model_unavailable' : 'provider_error',
    wire: 'ordered',
    // The order still exists after its key is corrected.
    retryable: status === 401 || status === 403,
    detail: `polling the order returned ${problem}`,
  })
}

/**
 * Downloads a result, with retries. Throws ProviderError if it cannot: `retryable` only if another attempt is likely to
 * succeed, so that a result that is gone ends its unit.
 */
async function download(context: AttemptContext, url: URL): Promise<Uint8Array> {
  const { record, timeouts, signal, baseUrl, allowPrivate } = context
  for (let tries = 1; ; tries++) {
    const timeoutMs = Math.min(timeouts.download, record.latest - Date.now())
    const result = await downloadResult(url, { baseUrl, allowPrivate, timeoutMs, signal })
    if ('bytes' in result) return result.bytes
    const problem = `the result could not be downloaded: ${result.problem}`
    context.warn(problem)
    if (result.recovery === 'never' || tries >= maxDownloads) {
      if (result.recovery === 'likely') throw await giveUp(context, problem)
      throw await fail(context, judgeUnusable(problem, record.order !== undefined))
    }
    await pause(context, { problem })
  }
}

interface Pause {
  /** Why the order's state is unknown; undefined while the vendor works on it. */
  readonly problem: string | undefined
  /** The wait that the vendor requests. */
  readonly requestedMs?: number | undefined
}

/** Waits for our interval or the requested one, but not past the time of a last poll. Throws after that. */
async function pause(context: AttemptContext, { problem, requestedMs = 0 }: Pause): Promise<void> {
  const { record, timeouts, signal } = context
  const now = Date.now()
  const wholeMs = Math.max(requestedMs, timeouts.pause)
  const lastMs = Math.min(record.until, record.latest - timeouts.poll) - now
  const delayMs = now + wholeMs < record.until ? wholeMs : lastMs
  if (delayMs <= 0) {
    const isOver = now + timeouts.pause >= record.latest
    if (problem !== undefined && !isOver) throw await giveUp(context, problem, requestedMs)
    const detail = ['the order was not ready in time', problem].filter(Boolean).join(': ')
    const wire = record.order === undefined ? 'ambiguous' : 'ordered'
    throw await fail(context, { code: 'timed_out', wire, retryable: false, detail })
  }
  // An aborted wait throws its own error; the caller gets the reason of its signal.
  await wait(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** Another attempt can poll the order again; a result without an order is lost. */
function giveUp(context: AttemptContext, detail: string, requestedMs = 0): Promise<Error> {
  if (context.record.order === undefined) return fail(context, judgeUnusable(detail))
  const retryAfterMs = requestedMs > 0 ? requestedMs : undefined
  return fail(context, { code: 'provider_error', wire: 'ordered', retryable: true, retryAfterMs, detail })
}

/** Returns the error of a failure; clears the record if nothing was bought. */
async function fail({ record, secrets }: AttemptContext, failure: Failure): Promise<Error> {
  if (!mayBeCharged(failure.wire)) await record.forget()
  return toError(failure, { secrets, purchase: record.purchase })
}
