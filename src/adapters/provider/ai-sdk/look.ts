import { setTimeout as wait } from 'node:timers/promises'
import { copyResult } from './copy.js'
import { type Answer, type Sending, WireFault } from './exchange.js'
import { judgeGarbage } from './failure.js'
import { describeAnswer, readReason } from './reason.js'
import { readRetryAfterMs } from './retry-after.js'
import { fail, type WireParts } from './wire-parts.js'

const copiesAtMost = 4

/** Looks until an order has come to an end, and gives the answer that says so. Throws ProviderError if it failed. */
export async function look(parts: WireParts, sending: Sending): Promise<Answer> {
  for (;;) {
    const found = await lookOnce(parts, sending)
    if (found instanceof WireFault) {
      parts.tell(found.message)
      await pause(parts, 0)
      continue
    }
    const state = parts.orders?.read(found)
    if (state?.state === 'done') return found
    if (state?.state === 'failed') throw await fail(parts, state.failure)
    if (state === undefined) await checkAnswer(parts, found)
    await pause(parts, readRetryAfterMs(found.headers, found.json, Date.now()) ?? 0)
  }
}

async function lookOnce({ line, journal, clocks, signal }: WireParts, sending: Sending): Promise<Answer | WireFault> {
  try {
    // Also when its time is over: after a restart it may have been ready for long.
    const timeoutMs = Math.min(clocks.look, journal.latest - Date.now())
    return await line.exchange(sending, { timeoutMs, signal })
  } catch (error) {
    if (error instanceof WireFault) return error
    throw error
  }
}

/** Throws if after an answer that says nothing of the order it makes no sense to look again. */
async function checkAnswer(parts: WireParts, { status, json }: Answer): Promise<void> {
  const { journal, clocks } = parts
  const detail = describeAnswer(status, readReason(json))
  parts.tell(detail)
  if (status < 300 || status === 408 || status === 429 || status >= 500) return
  const isUnknown = status === 404 || status === 410
  if (isUnknown && Date.now() - (journal.sentAt ?? 0) < clocks.unknown) return
  const code = status === 401 || status === 403 ? 'provider_unauthorized' : 'provider_error'
  throw await fail(parts, { code, wire: 'ambiguous', retryable: false, detail: `of the order it says ${detail}` })
}

/** Copies a result; what fails may succeed the next time. Throws ProviderError if it does not. */
export async function download(parts: WireParts, url: URL): Promise<Uint8Array> {
  const { journal, clocks, signal, baseUrl } = parts
  for (let tries = 1; ; tries++) {
    const timeoutMs = Math.min(clocks.download, journal.latest - Date.now())
    const copied = await copyResult(url, { baseUrl, timeoutMs, signal })
    if ('bytes' in copied) return copied.bytes
    const detail = `its result could not be copied: ${copied.problem}`
    parts.tell(detail)
    if (tries >= copiesAtMost) throw await fail(parts, judgeGarbage(detail))
    await pause(parts, 0)
  }
}

/** Waits for as long as we do, or as it was asked for; throws if that would be too long. */
async function pause(parts: WireParts, askedMs: number): Promise<void> {
  const { journal, clocks, signal } = parts
  const delayMs = Math.max(askedMs, clocks.pause)
  if (Date.now() + delayMs >= journal.until) {
    const detail = 'the order was not ready in time'
    throw await fail(parts, { code: 'timed_out', wire: 'ambiguous', retryable: false, detail })
  }
  // An aborted wait throws an error of its own; the caller gets the reason that it gave.
  await wait(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
}
