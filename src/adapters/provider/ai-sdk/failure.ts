import { ProviderError, type Purchase, type WireOutcome } from '../../../ports/provider.js'
import type { Answer } from './exchange.js'
import { describeAnswer, isAboutContent, isAboutKey, isAboutMoney, type Reason, readReason, toLine } from './reason.js'
import { redact, type Secrets } from './redact.js'
import { readRetryAfterMs } from './retry-after.js'

const sentences = {
  content_refused: 'The model service refused the content',
  rate_limited: 'The model service takes no more calls for now',
  timed_out: 'The model service did not deliver in time',
  provider_unauthorized: 'The model service did not accept the API key',
  provider_error: 'The model service failed',
} as const

export type FailureCode = keyof typeof sentences

/** What went wrong, before it is put in words. */
export interface Failure {
  readonly code: FailureCode
  readonly wire: WireOutcome
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
  /** In words of the service, or of ours. */
  readonly detail: string
}

/** What a failure is told with: never to be found in a message, and what the call would have bought. */
export interface Told {
  readonly secrets: Secrets
  readonly purchase: Purchase
}

export function toError({ code, detail, wire, retryable, retryAfterMs }: Failure, told: Told): ProviderError {
  const words = redact(detail, told.secrets).replace(/[.\s]+$/, '')
  return new ProviderError(code, `${sentences[code]}${words === '' ? '' : `: ${words}`}.`, {
    wire,
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(costs(wire) ? { purchase: told.purchase } : {}),
  })
}

/** Whether something was bought, or may have been. */
export const costs = (wire: WireOutcome): boolean => wire === 'ambiguous' || wire === 'ordered'

/** A key may be right and yet not allowed to use the model: other answers of 403 are about the account. */
export const isKeyRefused = (status: number, reason: Reason): boolean =>
  status === 401 || (status < 500 && isAboutKey(reason))

/** What an answer without success to a call that buys comes to. */
export function judgeAnswer(answer: Answer, now: number): Failure {
  const { status, headers, json } = answer
  const reason = readReason(json)
  const detail = describeAnswer(status, reason)
  const refused = { wire: 'refused', retryable: false, detail } as const
  if (status < 500 && isAboutContent(reason)) return { ...refused, code: 'content_refused' }
  if (isKeyRefused(status, reason)) {
    return { ...refused, code: isAboutMoney(reason) ? 'provider_error' : 'provider_unauthorized' }
  }
  if (status === 429 && !isAboutMoney(reason)) {
    const retryAfterMs = readRetryAfterMs(headers, json, now)
    return { code: 'rate_limited', wire: 'rate_limited', retryable: true, retryAfterMs, detail }
  }
  if (status === 408 || status === 504 || status === 524) {
    return { code: 'timed_out', wire: 'ambiguous', retryable: true, detail }
  }
  if (status >= 500) return { code: 'provider_error', wire: 'ambiguous', retryable: true, detail }
  return { ...refused, code: 'provider_error' }
}

/** What a job comes to of which its service says that it failed: it charges for none of these. */
export function judgeJob(reason: Reason, retryable: boolean): Failure {
  const isContent = isAboutContent(reason)
  return {
    code: isContent ? 'content_refused' : 'provider_error',
    wire: 'refused',
    retryable: retryable && !isContent,
    detail: toLine(reason),
  }
}

/** An answer that says success and holds nothing of use: of an order that has an ID, or of a call. */
export function judgeGarbage(detail: string, isOrdered = false): Failure {
  return { code: 'provider_error', wire: isOrdered ? 'ordered' : 'ambiguous', retryable: false, detail }
}
