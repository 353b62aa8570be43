import { type AttemptContext, fail } from './attempt-context.js'
import { type Failure, judgeResponse, judgeUnusable } from './failure.js'
import { ExchangeError, type OutgoingRequest, type VendorResponse } from './http-client.js'
import { findRefusal, isAboutContent, toLine } from './reason.js'

/** Sends a request that buys, and returns a successful response. Throws ProviderError for any other. */
export async function buy(context: AttemptContext, request: OutgoingRequest): Promise<VendorResponse> {
  if (context.journal.sentAt !== undefined) throw new Error('a second purchase in one attempt')
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
  const { client, journal, timeouts, signal, orders } = context
  await journal.begin()
  if (signal.aborted) {
    await journal.forget()
    signal.throwIfAborted()
  }
  const timeoutMs = Math.min(orders ? timeouts.order : timeouts.picture, journal.until - Date.now())
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
