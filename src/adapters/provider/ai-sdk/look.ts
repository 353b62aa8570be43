import { setTimeout as wait } from 'node:timers/promises'
import { copyResult } from './copy.js'
import { type Answer, type Sending, WireFault } from './exchange.js'
import { isKeyRefused, judgeGarbage } from './failure.js'
import { describeAnswer, readReason } from './reason.js'
import { readRetryAfterMs } from './retry-after.js'
import { fail, type WireParts } from './wire-parts.js'

const copiesAtMost = 4

/**
 * Looks until an order has come to an end, and gives the answer that says so. Throws ProviderError if it failed, or
 * `ordered` where nobody can tell for now: another attempt looks again.
 */
export async function look(parts: WireParts, sending: Sending): Promise<Answer> {
  for (;;) {
    const found = await lookOnce(parts, sending)
    if (found instanceof WireFault) {
      parts.tell(found.message)
      await pause(parts, { problem: found.message })
      continue
    }
    const state = parts.orders?.read(found)
    if (state?.state === 'done') return found
    if (state?.state === 'failed') throw await fail(parts, state.failure)
    const problem = state === undefined ? await checkAnswer(parts, found) : undefined
    await pause(parts, { problem, askedMs: readRetryAfterMs(found.headers, found.json, Date.now()) })
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

/** What is wrong with an answer that says nothing of the order. Throws if it makes no sense to look again here. */
async function checkAnswer(parts: WireParts, { status, json }: Answer): Promise<string> {
  const { journal, clocks } = parts
  const reason = readReason(json)
  const problem = describeAnswer(status, reason)
  parts.tell(problem)
  if (status < 300 || status === 408 || status === 429 || status >= 500) return problem
  const isUnknown = status === 404 || status === 410
  if (isUnknown && Date.now() - (journal.sentAt ?? 0) < clocks.unknown) return problem
  throw await fail(parts, {
    code: isKeyRefused(status, reason) ? 'provider_unauthorized' : 'provider_error',
    wire: 'ordered',
    // The order is still there when its key is put right.
    retryable: status === 401 || status === 403,
    detail: `of the order it says ${problem}`,
  })
}

/** Copies a result; what fails may succeed the next time. Throws ProviderError if it does not. */
export async function download(parts: WireParts, url: URL): Promise<Uint8Array> {
  const { journal, clocks, signal, baseUrl, allowPrivate } = parts
  for (let tries = 1; ; tries++) {
    const timeoutMs = Math.min(clocks.download, journal.latest - Date.now())
    const copied = await copyResult(url, { baseUrl, allowPrivate, timeoutMs, signal })
    if ('bytes' in copied) return copied.bytes
    const problem = `its result could not be copied: ${copied.problem}`
    parts.tell(problem)
    if (tries >= copiesAtMost) throw await giveUp(parts, problem)
    await pause(parts, { problem })
  }
}

interface Pause {
  /** Why it is not known what became of the order; undefined where it is still worked on. */
  readonly problem: string | undefined
  /** How long the service asks to wait. */
  readonly askedMs?: number | undefined
}

/** Waits for as long as we do, or as it was asked for, but not past the time of a last look. Throws after that. */
async function pause(parts: WireParts, { problem, askedMs = 0 }: Pause): Promise<void> {
  const { journal, clocks, signal } = parts
  const now = Date.now()
  const wholeMs = Math.max(askedMs, clocks.pause)
  const lastMs = Math.min(journal.until, journal.latest - clocks.look) - now
  const delayMs = now + wholeMs < journal.until ? wholeMs : lastMs
  if (delayMs <= 0) {
    const isOver = now + clocks.pause >= journal.latest
    if (problem !== undefined && !isOver) throw await giveUp(parts, problem, askedMs)
    const detail = ['the order was not ready in time', problem].filter(Boolean).join(': ')
    const wire = journal.job === undefined ? 'ambiguous' : 'ordered'
    throw await fail(parts, { code: 'timed_out', wire, retryable: false, detail })
  }
  // An aborted wait throws an error of its own; the caller gets the reason that it gave.
  await wait(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** An order is asked for again by another attempt; what was delivered at once is lost. */
function giveUp(parts: WireParts, detail: string, askedMs = 0): Promise<Error> {
  if (parts.journal.job === undefined) return fail(parts, judgeGarbage(detail))
  const retryAfterMs = askedMs > 0 ? askedMs : undefined
  return fail(parts, { code: 'provider_error', wire: 'ordered', retryable: true, retryAfterMs, detail })
}
