import { ProviderError, type Purchase, type WireOutcome } from '../../../ports/provider.js'
import type { VendorResponse } from './http-client.js'
import { toList, toRecord, toTexts } from './json.js'
import {
  describeResponse,
  isAboutContent,
  isAboutKey,
  isAboutModel,
  isAboutMoney,
  isBare,
  type Reason,
  readReason,
  toLine,
} from './reason.js'
import { redact, type Secrets } from './redact.js'

const sentences = {
  content_refused: 'The model service refused the content',
  rate_limited: 'The model service limits the rate of calls',
  timed_out: 'The model service did not deliver in time',
  provider_unauthorized: 'The model service did not accept the API key',
  model_unavailable: 'The model service does not have the model',
  provider_error: 'The model service failed',
} as const

export type FailureCode = keyof typeof sentences

/** The reason that an attempt failed, before it is formatted as an error. */
export interface Failure {
  readonly code: FailureCode
  readonly wire: WireOutcome
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
  /** In the vendor's words, or in ours. */
  readonly detail: string
}

/** Secrets that the message must not contain, and the purchase of the attempt. */
export interface ErrorContext {
  readonly secrets: Secrets
  readonly purchase: Purchase
}

export function toError(
  { code, detail, wire, retryable, retryAfterMs }: Failure,
  context: ErrorContext,
): ProviderError {
  const words = redact(detail, context.secrets).replace(/[.\s]+$/, '')
  return new ProviderError(code, `${sentences[code]}${words === '' ? '' : `: ${words}`}.`, {
    wire,
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(mayBeCharged(wire) ? { purchase: context.purchase } : {}),
  })
}

/** True if something was or may have been bought. */
export const mayBeCharged = (wire: WireOutcome): boolean => wire === 'ambiguous' || wire === 'ordered'

/** A valid key may lack access to the model: other answers of 403 are about the account. */
export const isKeyRefused = (status: number, reason: Reason): boolean =>
  status === 401 || (status < 500 && isAboutKey(reason))

/** Judges an unsuccessful response to a purchase. */
export function judgeResponse(response: VendorResponse, now: number): Failure {
  const { status, headers, json } = response
  const reason = readReason(json)
  const detail = describeResponse(status, reason)
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
  if (status === 404 || status === 410) {
    const words = isBare(reason) ? `${detail}, no reason given; \`baseUrl\` may be wrong` : detail
    return { ...refused, code: 'model_unavailable', detail: words }
  }
  if (isAboutModel(reason)) return { ...refused, code: 'model_unavailable' }
  return { ...refused, code: 'provider_error' }
}

/** Judges an order that the vendor reports as failed; vendors do not charge for these. */
export function judgeFailedOrder(reason: Reason, retryable: boolean): Failure {
  const refused = { wire: 'refused', retryable: false, detail: toLine(reason) } as const
  if (isAboutContent(reason)) return { ...refused, code: 'content_refused' }
  if (isAboutModel(reason)) return { ...refused, code: 'model_unavailable' }
  return { ...refused, code: 'provider_error', retryable }
}

/** Judges a successful response without a usable result: of an order with an ID, or of a direct call. */
export function judgeUnusable(detail: string, isOrdered = false): Failure {
  return { code: 'provider_error', wire: isOrdered ? 'ordered' : 'ambiguous', retryable: false, detail }
}

/** Reads the requested wait in milliseconds: from headers, or from the body, as Google and Replicate send it. */
export function readRetryAfterMs(
  headers: Readonly<Record<string, string>>,
  json: unknown,
  now: number,
): number | undefined {
  const root = toRecord(json)
  const delays = toList(toRecord(root.error).details).map((detail) => toRecord(detail).retryDelay)
  const found = [
    toMs(headers['retry-after-ms'], 1),
    toMs(headers['retry-after'], 1000) ?? fromDate(headers['retry-after'], now),
    ...toTexts(...delays).map((text) => toMs(text.replace(/s$/, ''), 1000)),
    toMs(toTexts(root.retry_after)[0], 1000),
  ]
  return found.find((ms) => ms !== undefined)
}

function toMs(text: string | undefined, unitMs: number): number | undefined {
  return text !== undefined && /^\d{1,9}(\.\d+)?$/.test(text.trim()) ? Math.ceil(Number(text) * unitMs) : undefined
}

function fromDate(text: string | undefined, now: number): number | undefined {
  // `Date.parse` accepts almost any text.
  const time = /^[A-Za-z]{3}, \d/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}
