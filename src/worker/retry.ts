import { boughtByKind } from '../media/task-inputs.js'
import type { WireOutcome } from '../ports/provider.js'
import type { UnitKind } from '../ports/tasks.js'
import type { LedgerEntry } from '../ports/usage.js'

/** The failures of a unit's earlier attempts. Attempts that a crash or a shutdown interrupted do not count. */
export type FailureCounts = Readonly<Partial<Record<WireOutcome, number>>>

export interface FailedAttempt {
  readonly wire: WireOutcome
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
}

interface RetryRule {
  readonly retries: Readonly<Record<LedgerEntry['unit'], number>>
  /** The delay of the first retry; it doubles with each further one. */
  readonly delayMs: number
}

/**
 * The number of retries per wire outcome. After an ambiguous call the purchase is unknown: a picture may be bought once
 * more, a clip never. An order is polled until the deadline.
 */
const rules: Readonly<Record<WireOutcome, RetryRule>> = {
  not_sent: { retries: { image: 6, clip: 6 }, delayMs: 1000 },
  refused: { retries: { image: 3, clip: 3 }, delayMs: 2000 },
  rate_limited: { retries: { image: 20, clip: 20 }, delayMs: 2000 },
  ambiguous: { retries: { image: 1, clip: 0 }, delayMs: 2000 },
  ordered: { retries: { image: Infinity, clip: Infinity }, delayMs: 2000 },
}
const defaultBackoffMsAtMost = 60_000

/**
 * Returns the delay before the next attempt, or undefined if the unit must not be retried. `earlier` are the failures before
 * this one. The delay is at least our own backoff: `Retry-After: 0` must not use up all attempts at once.
 */
export function findRetryDelayMs(
  kind: UnitKind,
  failure: FailedAttempt,
  earlier: FailureCounts,
  backoffMsAtMost = defaultBackoffMsAtMost,
): number | undefined {
  const { retries, delayMs } = rules[failure.wire]
  const retried = earlier[failure.wire] ?? 0
  if (!failure.retryable || retried >= retries[boughtByKind[kind]]) return undefined
  return Math.max(failure.retryAfterMs ?? 0, Math.min(delayMs * 2 ** retried, backoffMsAtMost))
}
