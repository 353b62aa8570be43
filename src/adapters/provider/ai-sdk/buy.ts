import { type Answer, type Sending, WireFault } from './exchange.js'
import { type Failure, judgeAnswer, judgeGarbage } from './failure.js'
import { findRefusal, isAboutContent, toLine } from './reason.js'
import { fail, type WireParts } from './wire-parts.js'

/** Sends a call that buys, and gives an answer that says success. Throws ProviderError for any other. */
export async function buy(parts: WireParts, sending: Sending): Promise<Answer> {
  if (parts.journal.sentAt !== undefined) throw new Error('a second call that buys in one attempt')
  const answer = await send(parts, sending)
  if (answer.status < 200 || answer.status > 299) throw await fail(parts, judgeAnswer(answer, Date.now()))
  if (answer.json === undefined) throw await fail(parts, judgeGarbage(`HTTP ${answer.status} without JSON`))
  const refusal = findRefusal(answer.json)
  if (refusal === undefined) return answer
  const isContent = isAboutContent(refusal)
  throw await fail(parts, {
    code: isContent ? 'content_refused' : 'provider_error',
    wire: refusal.isCharged ? 'ambiguous' : 'refused',
    retryable: !isContent,
    detail: toLine(refusal),
  })
}

async function send(parts: WireParts, sending: Sending): Promise<Answer> {
  const { line, journal, clocks, signal, orders } = parts
  await journal.begin()
  if (signal.aborted) {
    await journal.forget()
    signal.throwIfAborted()
  }
  const timeoutMs = Math.min(orders ? clocks.order : clocks.picture, journal.until - Date.now())
  try {
    return await line.exchange(sending, { timeoutMs, signal })
  } catch (fault) {
    throw fault instanceof WireFault ? await fail(parts, judgeFault(fault)) : fault
  }
}

function judgeFault({ kind, message: detail }: WireFault): Failure {
  if (kind === 'not_sent') return { code: 'provider_error', wire: 'not_sent', retryable: true, detail }
  if (kind === 'too_large') return judgeGarbage(detail)
  return { code: kind === 'timed_out' ? 'timed_out' : 'provider_error', wire: 'ambiguous', retryable: true, detail }
}
