import { setTimeout as wait } from 'node:timers/promises'
import { isSvcError } from '../../../errors.js'
import type { ModelSettings } from '../../../ports/models.js'
import type { ProviderCall, Purchase } from '../../../ports/provider.js'
import type { Clocks } from './clocks.js'
import { type Told, toError } from './failure.js'
import { toRecord } from './json.js'
import type { Secrets } from './redact.js'

/** What must be known of an order to ask what became of it. Never a key, nor the URL of a result. */
export type Job = Readonly<Record<string, string>>

type Price = ModelSettings['price']

/** What stands in a unit's memo from before a call that buys until it is known that nothing was bought. */
interface Memo {
  readonly model: string
  /** Epoch milliseconds. */
  readonly sentAt: number
  /** When the work on it is given up, epoch milliseconds. */
  readonly until: number
  readonly purchase: Purchase
  /** At the time of the call. */
  readonly price: Price
  /** Once an order was answered. */
  readonly job?: Job
}

/** What one attempt does and leaves behind for the next. */
export interface Journal {
  readonly purchase: Purchase
  readonly price: Price
  /** When the order was sent, or undefined before; epoch milliseconds. */
  readonly sentAt: number | undefined
  /** When waiting for it is given up. */
  readonly until: number
  /** When there must be an end, to tell what was bought before the task's own deadline. */
  readonly latest: number
  readonly job: Job | undefined
  /** Writes that something is about to be bought. */
  begin(): Promise<void>
  /** Writes what is known of the order from its answer. */
  keep(job: Job): Promise<void>
  /** Writes that nothing was bought. */
  forget(): Promise<void>
}

export interface JournalOptions {
  readonly call: ProviderCall
  readonly model: string
  readonly purchase: Purchase
  readonly price: Price
  readonly secrets: Secrets
  readonly limitMs: number
  readonly clocks: Clocks
}

const saveAgainMs = 250

/**
 * Opens the journal of an attempt on what an earlier one left. Throws `ambiguous` if that one sent an order of which no
 * answer is known.
 */
export function openJournal({ call, model, purchase, price, secrets, limitMs, clocks }: JournalOptions): Journal {
  const found = toRecord(call.memo).sentAt === undefined ? undefined : (call.memo as Memo)
  const told: Told = { secrets, purchase: found?.purchase ?? purchase }
  if (found !== undefined && (found.job === undefined || found.model !== model)) {
    const detail = `an earlier attempt called ${found.model}, and its answer is not known`
    throw toError({ code: 'provider_error', wire: 'ambiguous', retryable: true, detail }, told)
  }
  const latest = call.deadlineAt.getTime() - clocks.margin
  const fresh: Memo = { model, sentAt: 0, until: Math.min(Date.now() + limitMs, latest), purchase, price }
  if (found === undefined && fresh.until <= Date.now()) {
    throw toError({ code: 'timed_out', wire: 'not_sent', retryable: false, detail: 'no time is left to ask it' }, told)
  }
  let memo: Memo | undefined = found
  const save = (next: Memo | undefined) => {
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
    get job() {
      return memo?.job
    },
    begin: () => save({ ...fresh, sentAt: Date.now() }),
    keep: (job) => saveSurely(() => save({ ...(memo ?? fresh), job }), call.signal),
    forget: () => saveSurely(() => save(undefined), call.signal),
  }
}

/**
 * Without its memo an order that was paid could not be found again, and with one too many what was refused would count as
 * perhaps paid: a database out of order is asked until it takes it.
 */
async function saveSurely(save: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await save()
    } catch (error) {
      if (signal.aborted || !isSvcError(error) || error.code !== 'unavailable') throw error
    }
    await wait(saveAgainMs)
  }
}
