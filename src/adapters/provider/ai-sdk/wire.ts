import { setTimeout as wait } from 'node:timers/promises'
import type { Clocks } from './clocks.js'
import { copyResult } from './copy.js'
import { type Answer, type Line, type Sending, WireFault } from './exchange.js'
import { type Failure, judgeAnswer, judgeGarbage, type Told, toError } from './failure.js'
import type { Journal } from './journal.js'
import { findRefusal, isAboutContent, readReason, toLine } from './reason.js'
import { readRetryAfterMs } from './retry-after.js'
import type { Orders } from './vendor.js'

export interface WireParts {
  readonly line: Line
  readonly journal: Journal
  readonly clocks: Clocks
  readonly signal: AbortSignal
  readonly baseUrl: string
  readonly secrets: readonly string[]
  /** Undefined where the answer holds the result. */
  readonly orders: Orders | undefined
  /** Whether the SDK asks what became of an order; it then gets the result's URL, too. */
  readonly isClip: boolean
  locate(url: string): string
  /** Called for what is tried again here. */
  tell(detail: string): void
  onOrdered(): void
}

/** What the SDK reaches a model service with, in one attempt. */
export interface Wire {
  readonly fetch: typeof fetch
  /** Copies a result. */
  download(url: URL): Promise<Uint8Array>
}

/**
 * A `fetch` that buys once: what is to be bought is in the journal before it is sent, and an order of an earlier attempt
 * is answered from there. It gives the SDK nothing but successes, and of an order only what it has come to: errors, waiting
 * and asking again are done here, since the SDK would lose their reasons, or buy again. Throws ProviderError.
 */
export function openWire(parts: WireParts): Wire {
  const { line, journal, clocks, signal, baseUrl, orders } = parts
  const told = (): Told => ({ secrets: parts.secrets, purchase: journal.purchase })

  /** The error of a failure; with one that cost nothing, the journal is empty. */
  async function fail(failure: Failure): Promise<Error> {
    if (failure.wire !== 'ambiguous') await journal.forget()
    return toError(failure, told())
  }

  async function send(sending: Sending): Promise<Answer> {
    await journal.begin()
    if (signal.aborted) {
      await journal.forget()
      signal.throwIfAborted()
    }
    const timeoutMs = Math.min(orders ? clocks.order : clocks.picture, journal.until - Date.now())
    const answer = await line.exchange(sending, { timeoutMs, signal }).catch(async (fault: unknown) => {
      throw fault instanceof WireFault ? await fail(judgeFault(fault)) : fault
    })
    if (answer.status < 200 || answer.status > 299) throw await fail(judgeAnswer(answer, Date.now()))
    if (answer.json === undefined) throw await fail(judgeGarbage(`HTTP ${answer.status} without JSON`))
    return answer
  }

  async function buy(sending: Sending): Promise<Answer> {
    if (journal.sentAt !== undefined) throw new Error('a second call that buys in one attempt')
    const answer = await send(sending)
    const refusal = findRefusal(answer.json)
    if (refusal === undefined) return answer
    const isContent = isAboutContent(refusal)
    throw await fail({
      code: isContent ? 'content_refused' : 'provider_error',
      wire: refusal.isCharged ? 'ambiguous' : 'refused',
      retryable: !isContent,
      detail: toLine(refusal),
    })
  }

  async function order({ keep, replay, findUrl }: Orders, sending: Sending): Promise<Response> {
    if (journal.job === undefined) {
      const job = keep((await buy(sending)).json)
      if (job === undefined) throw await fail(judgeGarbage('an order was answered without its ID'))
      await journal.keep(job)
    }
    parts.onOrdered()
    const job = journal.job ?? {}
    if (parts.isClip || findUrl === undefined) return Response.json(replay(job, baseUrl))
    const { authorization = '' } = sending.headers
    return reply(await look({ url: findUrl(job, baseUrl), method: 'GET', headers: { authorization }, body: null }))
  }

  /** Looks until an order has come to an end. */
  async function look(sending: Sending): Promise<Answer> {
    for (;;) {
      const timeoutMs = Math.min(clocks.look, journal.until - Date.now())
      const found = await line.exchange(sending, { timeoutMs, signal }).catch((fault: unknown) => {
        if (fault instanceof WireFault) return fault
        throw fault
      })
      const state = found instanceof WireFault ? undefined : orders?.read(found)
      if (state?.state === 'failed') throw await fail(state.failure)
      if (state?.state === 'done' && !(found instanceof WireFault)) return found
      if (state === undefined) await checkLook(found)
      const asked = found instanceof WireFault ? undefined : readRetryAfterMs(found.headers, found.json, Date.now())
      await pause(Math.max(asked ?? 0, clocks.pause))
    }
  }

  /** Throws if it makes no sense to look again. */
  async function checkLook(found: Answer | WireFault): Promise<void> {
    const isFault = found instanceof WireFault
    const detail = isFault ? found.message : `HTTP ${found.status}: ${toLine(readReason(found.json))}`
    parts.tell(detail)
    if (isFault || found.status === 408 || found.status === 429 || found.status >= 500 || found.status < 300) return
    const isUnknown = found.status === 404 || found.status === 410
    if (isUnknown && Date.now() - (journal.sentAt ?? 0) < clocks.unknown) return
    const isKey = found.status === 401 || found.status === 403
    const code = isKey ? 'provider_unauthorized' : 'provider_error'
    throw await fail({ code, wire: 'ambiguous', retryable: false, detail: `of the order it says ${detail}` })
  }

  /** Waits, or throws if that would be too long. */
  async function pause(delayMs: number): Promise<void> {
    if (Date.now() + delayMs >= journal.until) {
      const detail = 'the order was not ready in time'
      throw await fail({ code: 'timed_out', wire: 'ambiguous', retryable: false, detail })
    }
    // An aborted wait throws an error of its own; the caller gets the reason that it gave.
    await wait(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }

  async function download(url: URL): Promise<Uint8Array> {
    for (let tries = 1; ; tries++) {
      const timeoutMs = Math.min(clocks.download, journal.until - Date.now())
      const copied = await copyResult(url, { baseUrl, timeoutMs, signal })
      if ('bytes' in copied) return copied.bytes
      const detail = `its result could not be copied: ${copied.problem}`
      parts.tell(detail)
      if (tries >= copiesAtMost) throw await fail(judgeGarbage(detail))
      await pause(clocks.pause)
    }
  }

  return {
    download,
    async fetch(input, init) {
      const request = new Request(input, init)
      const sending = { ...(await toSending(request)), url: parts.locate(request.url) }
      if (sending.method !== 'GET') return orders ? order(orders, sending) : reply(await buy(sending))
      if (parts.isClip) return reply(await look(sending))
      return new Response(Buffer.from(await download(new URL(sending.url))))
    },
  }
}

const copiesAtMost = 4

function judgeFault({ kind, message: detail }: WireFault): Failure {
  if (kind === 'not_sent') return { code: 'provider_error', wire: 'not_sent', retryable: true, detail }
  if (kind === 'too_large') return judgeGarbage(detail)
  return { code: kind === 'timed_out' ? 'timed_out' : 'provider_error', wire: 'ambiguous', retryable: true, detail }
}

async function toSending(request: Request): Promise<Sending> {
  const { url, method, headers } = request
  const body = method === 'GET' ? null : Buffer.from(await request.arrayBuffer())
  return { url, method, headers: Object.fromEntries(headers), body }
}

function reply({ body }: Answer): Response {
  return new Response(Buffer.from(body), { headers: { 'content-type': 'application/json' } })
}
