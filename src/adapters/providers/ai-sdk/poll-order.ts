import { setTimeout as wait } from 'node:timers/promises'
import { type AttemptContext, fail } from './attempt-context.js'
import { downloadResult } from './download-result.js'
import { isKeyRefused, judgeUnusable } from './failure.js'
import { ExchangeError, type OutgoingRequest, type VendorResponse } from './http-client.js'
import { describeResponse, isAboutModel, readReason } from './reason.js'
import { readRetryAfterMs } from './retry-after.js'

const maxDownloads = 4

/**
 * Polls an order until it ends, and returns the response that says so. Throws ProviderError if the order failed, or with
 * `ordered` if its state cannot be determined for now: another attempt polls again.
 */
export async function pollOrder(context: AttemptContext, request: OutgoingRequest): Promise<VendorResponse> {
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
  { client, journal, timeouts, signal }: AttemptContext,
  request: OutgoingRequest,
): Promise<VendorResponse | ExchangeError> {
  try {
    // Polls even if the order's time is over: it may have completed long before a restart.
    const timeoutMs = Math.min(timeouts.poll, journal.latest - Date.now())
    return await client.exchange(request, { timeoutMs, signal })
  } catch (error) {
    if (error instanceof ExchangeError) return error
    throw error
  }
}

/** Describes a response without an order state. Throws if polling again would not help. */
async function checkResponse(context: AttemptContext, { status, json }: VendorResponse): Promise<string> {
  const { journal, timeouts } = context
  const reason = readReason(json)
  const problem = describeResponse(status, reason)
  context.warn(problem)
  if (status < 300 || status === 408 || status === 429 || status >= 500) return problem
  const isGone = isAboutModel(reason)
  const isUnknown = status === 404 || status === 410
  if (isUnknown && !isGone && Date.now() - (journal.sentAt ?? 0) < timeouts.unknown) return problem
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
export async function download(context: AttemptContext, url: URL): Promise<Uint8Array> {
  const { journal, timeouts, signal, baseUrl, allowPrivate } = context
  for (let tries = 1; ; tries++) {
    const timeoutMs = Math.min(timeouts.download, journal.latest - Date.now())
    const result = await downloadResult(url, { baseUrl, allowPrivate, timeoutMs, signal })
    if ('bytes' in result) return result.bytes
    const problem = `the result could not be downloaded: ${result.problem}`
    context.warn(problem)
    if (result.recovery === 'never' || tries >= maxDownloads) {
      if (result.recovery === 'likely') throw await giveUp(context, problem)
      throw await fail(context, judgeUnusable(problem, journal.order !== undefined))
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
  const { journal, timeouts, signal } = context
  const now = Date.now()
  const wholeMs = Math.max(requestedMs, timeouts.pause)
  const lastMs = Math.min(journal.until, journal.latest - timeouts.poll) - now
  const delayMs = now + wholeMs < journal.until ? wholeMs : lastMs
  if (delayMs <= 0) {
    const isOver = now + timeouts.pause >= journal.latest
    if (problem !== undefined && !isOver) throw await giveUp(context, problem, requestedMs)
    const detail = ['the order was not ready in time', problem].filter(Boolean).join(': ')
    const wire = journal.order === undefined ? 'ambiguous' : 'ordered'
    throw await fail(context, { code: 'timed_out', wire, retryable: false, detail })
  }
  // An aborted wait throws its own error; the caller gets the reason of its signal.
  await wait(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** Another attempt can poll the order again; a result without an order is lost. */
function giveUp(context: AttemptContext, detail: string, requestedMs = 0): Promise<Error> {
  if (context.journal.order === undefined) return fail(context, judgeUnusable(detail))
  const retryAfterMs = requestedMs > 0 ? requestedMs : undefined
  return fail(context, { code: 'provider_error', wire: 'ordered', retryable: true, retryAfterMs, detail })
}
