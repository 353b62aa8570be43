import { isSvcError } from '../../../errors.js'
import type { RequestLog } from '../../../log/request-log.js'
import { isProviderError, type ProviderCall, type ProviderError, type Purchase } from '../../../ports/provider.js'
import type { Tracing } from '../../../ports/tracing.js'
import { untilAborted } from '../../../runtime/abort.js'
import { judgeUnusable, toError } from './failure.js'
import type { HttpClient } from './http-client.js'
import type { Setup } from './model.js'
import { openRecord, type PurchaseRecord } from './purchase-record.js'
import { findSecrets, redact, type Secrets } from './redact.js'
import type { Timeouts } from './timeouts.js'
import { openTransport, type VendorTransport } from './transport.js'
import type { OrderProtocol } from './vendor.js'

/** One picture or clip to generate. */
export interface Generation<T> {
  readonly isClip: boolean
  readonly orders: OrderProtocol | undefined
  /** No message may repeat the prompt, because callers wrote some of it. */
  readonly prompt: string
  readonly purchase: Purchase
  generate(tools: GenerationTools): Promise<T>
}

export interface GenerationTools extends VendorTransport {
  readonly signal: AbortSignal
  readonly record: PurchaseRecord
  /** Logs a problem that does not stop the attempt. */
  warn(detail: string): void
  /** Returns the error for an unusable result. */
  refuse(detail: string): ProviderError
}

export interface AttemptParts {
  readonly setup: Setup
  readonly client: HttpClient
  readonly timeouts: Timeouts
  readonly log: Pick<RequestLog, 'write'>
  readonly now: () => number
  readonly tracing: Tracing | undefined
  readonly allowPrivate: boolean
}

/** Runs an attempt. Throws ProviderError, or the reason of the call's signal as soon as that is aborted. */
export async function runAttempt<T>(
  { setup, client, timeouts, log, now, tracing, allowPrivate }: AttemptParts,
  call: ProviderCall,
  { isClip, orders, prompt, purchase, generate }: Generation<T>,
): Promise<T> {
  const { settings, vendor, baseUrl, label } = setup
  const { signal } = call
  const secrets = findSecrets(settings.apiKey, prompt)
  const limitMs = orders ? timeouts.completion : timeouts.picture
  const { price } = settings
  const record = openRecord({ call, model: label, purchase, price, secrets, limitMs, timeouts })
  const warn = createWarner({ log, now }, label, call.taskId, secrets)
  const locate = (url: string) => vendor.locate?.(url, settings.model, settings.baseUrl) ?? url
  const transport = openTransport({
    client: traceClient(client, call.traceparent, tracing),
    ...{ allowPrivate, record, timeouts, signal, baseUrl },
    ...{ secrets, orders, isClip, locate, warn },
  })
  const refuse = (detail: string) =>
    toError(judgeUnusable(detail, record.order !== undefined), { secrets, purchase: record.purchase })
  try {
    return await untilAborted(generate({ ...transport, signal, record, warn, refuse }), signal)
  } catch (error) {
    signal.throwIfAborted()
    throw unwrapError(error, record, secrets)
  }
}

/** Logs warnings about a vendor; a repeated one is logged once. */
function createWarner(
  { log, now }: Pick<AttemptParts, 'log' | 'now'>,
  provider: string,
  taskId: string,
  secrets: Secrets,
) {
  let last: string | undefined
  return (text: string): void => {
    const detail = redact(text, secrets)
    if (detail === last) return
    last = detail
    const time = new Date(now()).toISOString()
    log.write({ time, event: 'provider_warning', provider, task_id: taskId, detail })
  }
}

/** Returns the error of the transport or the record, which the SDK may have wrapped; otherwise an error of the SDK itself. */
function unwrapError(error: unknown, record: PurchaseRecord, secrets: Secrets): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isProviderError(cause) || isSvcError(cause)) return cause
  }
  // A message of the SDK may contain the response, and its causes the request.
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : 'no reason given'
  const context = { secrets, purchase: record.purchase }
  if (record.sentAt !== undefined) return toError(judgeUnusable(detail, record.order !== undefined), context)
  return toError({ code: 'provider_error', wire: 'not_sent', retryable: false, detail }, context)
}

/** Sends the position in a trace with each request to the vendor, which has a span of its own if an SDK records them. */
function traceClient(client: HttpClient, parent: string | undefined, tracing: Tracing | undefined): HttpClient {
  if (parent === undefined && tracing === undefined) return client
  const exchange = (traceparent: string | undefined, ...[request, limits]: Parameters<HttpClient['exchange']>) => {
    const headers = traceparent === undefined ? request.headers : { ...request.headers, traceparent }
    return client.exchange({ ...request, headers }, limits)
  }
  return {
    ...client,
    exchange(request, limits) {
      if (tracing === undefined) return exchange(parent, request, limits)
      const { method, url } = request
      const attributes = { 'http.request.method': method, 'server.address': new URL(url).hostname }
      return tracing.run({ name: method, kind: 'client', parent, attributes }, async (span) => {
        const response = await exchange(span.traceparent, request, limits)
        span.set('http.response.status_code', response.status)
        return response
      })
    },
  }
}
