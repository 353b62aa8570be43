import { setTimeout as wait } from 'node:timers/promises'
import { isSvcError } from '../../../errors.js'
import type { ModelSettings } from '../../../models/settings.js'
import type { ProviderCall, Purchase } from '../../../ports/provider.js'
import { type ErrorContext, toError } from './failure.js'
import { toRecord } from './json.js'
import type { Secrets } from './redact.js'
import type { Timeouts } from './timeouts.js'

/** The reference by which an order can be polled. Never contains a key or the URL of a result. */
export type OrderReference = Readonly<Record<string, string>>

type Price = ModelSettings['price']

/** A unit's memo, saved before a purchase is sent and removed when it is known that nothing was bought. */
interface PurchaseMemo {
  readonly model: string
  /** Epoch milliseconds. */
  readonly sentAt: number
  /** The end of the wait for it, in epoch milliseconds. */
  readonly until: number
  readonly purchase: Purchase
  /** At the time of the call. */
  readonly price: Price
  /** Set after the vendor accepts the order. */
  readonly job?: OrderReference
}

/** The record that an attempt leaves for the next one. */
export interface PurchaseRecord {
  readonly purchase: Purchase
  readonly price: Price
  /** The time at which the purchase was sent, in epoch milliseconds; undefined before. */
  readonly sentAt: number | undefined
  /** The end of the wait for the result. */
  readonly until: number
  /** The end of the attempt, early enough to report its purchase before the task's deadline. */
  readonly latest: number
  readonly order: OrderReference | undefined
  /** True if another attempt can fetch the result of the order again, and there is time for it. */
  canContinue(): boolean
  /** Records that a purchase is about to be sent. */
  begin(): Promise<void>
  /** Records the reference of an accepted order. */
  keep(order: OrderReference): Promise<void>
  /** Records that nothing was bought. */
  forget(): Promise<void>
}

export interface RecordOptions {
  readonly call: ProviderCall
  readonly model: string
  readonly purchase: Purchase
  readonly price: Price
  readonly secrets: Secrets
  readonly limitMs: number
  readonly timeouts: Timeouts
}

const saveAgainMs = 250
/** The longest wait before another attempt. */
const backoffMs = 60_000

/**
 * Opens the record of an attempt with the memo of an earlier one. Throws `ambiguous` if that one sent a purchase
 * whose response is unknown.
 */
export function openRecord({
  call,
  model,
  purchase,
  price,
  secrets,
  limitMs,
  timeouts,
}: RecordOptions): PurchaseRecord {
  const found = toRecord(call.memo).sentAt === undefined ? undefined : (call.memo as PurchaseMemo)
  const context: ErrorContext = { secrets, purchase: found?.purchase ?? purchase }
  if (found !== undefined && (found.job === undefined || found.model !== model)) {
    const detail = `an earlier attempt called ${found.model}, and its response is unknown`
    throw toError({ code: 'provider_error', wire: 'ambiguous', retryable: true, detail }, context)
  }
  const latest = Date.now() + call.leftMs - timeouts.margin
  const fresh: PurchaseMemo = { model, sentAt: 0, until: Math.min(Date.now() + limitMs, latest), purchase, price }
  if (found === undefined && fresh.until <= Date.now()) {
    throw toError(
      { code: 'timed_out', wire: 'not_sent', retryable: false, detail: 'no time is left to call it' },
      context,
    )
  }
  let memo: PurchaseMemo | undefined = found
  const save = (next: PurchaseMemo | undefined) => {
    memo = next
    const begun = next && { purchase: next.purchase, isOrdered: next.job !== undefined }
    return call.saveMemo(next ?? null, begun)
  }
  return {
    get purchase() {
      return (memo ?? fresh).purchase
    },
    get price() {
      return (memo ?? fresh).price
    },
    get sentAt() {
      return memo?.sentAt
    },
    get until() {
      return (memo ?? fresh).until
    },
    latest,
    get order() {
      return memo?.job
    },
    canContinue() {
      const now = Date.now()
      const isInTime = now < (memo ?? fresh).until && now + backoffMs + timeouts.poll + timeouts.download < latest
      return isInTime && memo?.job !== undefined
    },
    begin: () => save({ ...fresh, sentAt: Date.now() }),
    keep: (job) => saveDurably(() => save({ ...(memo ?? fresh), job }), call.signal),
    forget: () => saveDurably(() => save(undefined), call.signal),
  }
}

/**
 * Retries while the database is unavailable: without its memo a paid order is lost, and with an obsolete memo a
 * refused purchase counts as possibly paid.
 */
async function saveDurably(save: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await save()
    } catch (error) {
      if (signal.aborted || !isSvcError(error) || error.code !== 'unavailable') throw error
    }
    await wait(saveAgainMs)
  }
}
