import { boughtByKind } from '../media/tasks.js'
import type { WireOutcome } from '../ports/provider.js'
import type { LedgerEntry, UnitKind } from '../ports/tasks.js'

/** What a unit's earlier tries came to. A try that a crash or a shutdown cut short is none of them. */
export type FailureCounts = Readonly<Partial<Record<WireOutcome, number>>>

export interface Failure {
  readonly wire: WireOutcome
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
}

interface RetryRule {
  readonly retries: Readonly<Record<LedgerEntry['unit'], number>>
  /** Of the first retry; each one after it waits twice as long. */
  readonly delayMs: number
}

/**
 * How often a unit is tried again, by what happened on the wire. After an ambiguous call nobody knows whether it was
 * bought: a picture may be bought once more, a clip never. What is known to be ordered is asked for until the deadline.
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
 * How long to wait before the next try, or undefined if there is none: `earlier` are the failures before this one. A service
 * that asks for less than our own backoff (`Retry-After: 0`) does not get its tries used up in a moment.
 */
export function findRetryDelayMs(
  kind: UnitKind,
  failure: Failure,
  earlier: FailureCounts,
  backoffMsAtMost = defaultBackoffMsAtMost,
): number | undefined {
  const { retries, delayMs } = rules[failure.wire]
  const retried = earlier[failure.wire] ?? 0
  if (!failure.retryable || retried >= retries[boughtByKind[kind]]) return undefined
  return Math.max(failure.retryAfterMs ?? 0, Math.min(delayMs * 2 ** retried, backoffMsAtMost))
}
