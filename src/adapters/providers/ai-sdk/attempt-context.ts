import { type Failure, mayBeCharged, toError } from './failure.js'
import type { HttpClient } from './http-client.js'
import type { PurchaseRecord } from './journal.js'
import type { Secrets } from './redact.js'
import type { Timeouts } from './timeouts.js'
import type { OrderProtocol } from './vendor.js'

/** Everything that one attempt works with. */
export interface AttemptContext {
  readonly client: HttpClient
  readonly journal: PurchaseRecord
  readonly timeouts: Timeouts
  readonly signal: AbortSignal
  readonly baseUrl: string
  readonly allowPrivate: boolean
  readonly secrets: Secrets
  /** Undefined if the response contains the result. */
  readonly orders: OrderProtocol | undefined
  /** True if the SDK polls the order; it then also receives the result's URL. */
  readonly isClip: boolean
  locate(url: string): string
  /** Logs a problem that is retried here. */
  warn(detail: string): void
  onOrdered(): void
}

/** Returns the error of a failure; clears the journal if nothing was bought. */
export async function fail({ journal, secrets }: AttemptContext, failure: Failure): Promise<Error> {
  if (!mayBeCharged(failure.wire)) await journal.forget()
  return toError(failure, { secrets, purchase: journal.purchase })
}
