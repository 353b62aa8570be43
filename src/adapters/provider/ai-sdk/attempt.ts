import { untilAborted } from '../../../abort.js'
import { isSvcError } from '../../../errors.js'
import type { RequestLog } from '../../../log.js'
import { isProviderError, type ProviderCall, ProviderError, type Purchase } from '../../../ports/provider.js'
import type { Clocks } from './clocks.js'
import type { Line } from './exchange.js'
import { judgeGarbage, toError } from './failure.js'
import { type Journal, openJournal } from './journal.js'
import type { Setup } from './model.js'
import { findSecrets, redact, type Secrets } from './redact.js'
import type { Orders } from './vendor.js'
import { openWire, type Wire } from './wire.js'

/** What one attempt is to make. */
export interface Attempt<T> {
  readonly isClip: boolean
  readonly orders: Orders | undefined
  /** The prompt, which no message may repeat: callers wrote some of it. */
  readonly words: string
  readonly purchase: Purchase
  make(tools: Tools): Promise<T>
}

export interface Tools extends Wire {
  readonly signal: AbortSignal
  readonly journal: Journal
  /** Writes to the log what did not stop the work. */
  tell(detail: string): void
  /** The error for a result that is of no use. */
  refuse(detail: string): ProviderError
}

export interface AttemptParts {
  readonly setup: Setup
  readonly line: Line
  readonly clocks: Clocks
  readonly log: Pick<RequestLog, 'write'>
  readonly allowPrivate: boolean
}

export interface Attempts {
  /** Throws ProviderError, or the reason of the call's signal as soon as that is aborted. */
  run<T>(call: ProviderCall, attempt: Attempt<T>): Promise<T>
  /** Takes no more. */
  close(): void
}

export function createAttempts(parts: AttemptParts): Attempts {
  let closed = false
  return {
    async run(call, attempt) {
      call.signal.throwIfAborted()
      if (closed) {
        const message = 'The model was closed before it was asked for this. Try again.'
        throw new ProviderError('provider_error', message, { wire: 'not_sent', retryable: true })
      }
      return untilAborted(make(parts, call, attempt), call.signal)
    },
    close() {
      closed = true
    },
  }
}

async function make<T>(
  { setup, line, clocks, log, allowPrivate }: AttemptParts,
  call: ProviderCall,
  attempt: Attempt<T>,
): Promise<T> {
  const { settings, vendor, baseUrl, label } = setup
  const { signal } = call
  const { isClip, orders, purchase } = attempt
  const secrets = findSecrets(settings.apiKey, attempt.words)
  const limitMs = orders ? clocks.job : clocks.picture
  const { price } = settings
  const journal = openJournal({ call, model: label, purchase, price, secrets, limitMs, clocks })
  const tell = createTeller(log, label, call.taskId, secrets)
  const locate = (url: string) => vendor.locate?.(url, settings.model, settings.baseUrl) ?? url
  const onOrdered = () => call.onProgress(0.1)
  const wire = openWire({
    allowPrivate,
    line,
    journal,
    clocks,
    signal,
    baseUrl,
    secrets,
    orders,
    isClip,
    locate,
    tell,
    onOrdered,
  })
  const refuse = (detail: string) =>
    toError(judgeGarbage(detail, journal.job !== undefined), { secrets, purchase: journal.purchase })
  try {
    return await attempt.make({ ...wire, signal, journal, tell, refuse })
  } catch (error) {
    signal.throwIfAborted()
    throw explain(error, journal, secrets)
  }
}

/** Writes what a model service did; what it does again and again is written once. */
function createTeller(log: AttemptParts['log'], provider: string, taskId: string, secrets: Secrets) {
  let last: string | undefined
  return (text: string): void => {
    const detail = redact(text, secrets)
    if (detail === last) return
    last = detail
    log.write({ time: new Date().toISOString(), event: 'provider_warning', provider, task_id: taskId, detail })
  }
}

/** What `openWire` and the journal throw, also where the SDK has put it into an error of its own; else what the SDK could not do. */
function explain(error: unknown, journal: Journal, secrets: Secrets): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isProviderError(cause) || isSvcError(cause)) return cause
  }
  // The words of the SDK may hold the answer, and its causes the call.
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : 'no reason given'
  const told = { secrets, purchase: journal.purchase }
  if (journal.sentAt !== undefined) return toError(judgeGarbage(detail, journal.job !== undefined), told)
  return toError({ code: 'provider_error', wire: 'not_sent', retryable: false, detail }, told)
}
