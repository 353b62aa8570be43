import type { Clocks } from './clocks.js'
import type { Line } from './exchange.js'
import { costs, type Failure, toError } from './failure.js'
import type { Journal } from './journal.js'
import type { Secrets } from './redact.js'
import type { Orders } from './vendor.js'

/** What one attempt is made with. */
export interface WireParts {
  readonly line: Line
  readonly journal: Journal
  readonly clocks: Clocks
  readonly signal: AbortSignal
  readonly baseUrl: string
  readonly allowPrivate: boolean
  readonly secrets: Secrets
  /** Undefined where the answer holds the result. */
  readonly orders: Orders | undefined
  /** Whether the SDK asks what became of an order; it then gets the result's URL, too. */
  readonly isClip: boolean
  locate(url: string): string
  /** Called for what is tried again here. */
  tell(detail: string): void
  onOrdered(): void
}

/** The error of a failure; after one that cost nothing, the journal is empty. */
export async function fail({ journal, secrets }: WireParts, failure: Failure): Promise<Error> {
  if (!costs(failure.wire)) await journal.forget()
  return toError(failure, { secrets, purchase: journal.purchase })
}
