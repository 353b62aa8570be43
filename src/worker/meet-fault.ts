import type { UnitEffect, UnitFaults } from '../ports/faults.js'
import { ProviderError } from '../ports/provider.js'
import { Postponed, type RunContext } from './runner.js'
import type { UnitAttempt } from './unit-attempt.js'

/** The interval at which a unit that never ends looks whether its rule was removed. */
const lookAgainMs = 10_000

/**
 * Makes a unit meet its fault, before its provider is asked. Returns the only file that its clip may have. Rejects with the
 * failure, or with `Postponed`.
 */
export async function meetFault(attempt: UnitAttempt, faults: UnitFaults): Promise<RunContext['only']> {
  const fault = await faults.findForUnit(attempt.unit)
  if (fault === undefined) return undefined
  attempt.fault = fault
  // The attempt that was put off does not count as one that was made.
  const earlier = attempt.unit.attempt - (fault.delayMs > 0 ? 2 : 1)
  if (earlier < 0) throw new Postponed(fault.delayMs)
  return effects[fault.effect.kind](fault.effect as never, earlier)
}

type UnitEffects = {
  readonly [K in UnitEffect['kind']]: (effect: Extract<UnitEffect, { kind: K }>, earlier: number) => RunContext['only']
}

const effects: UnitEffects = {
  wait: () => undefined,
  only: ({ format }) => format,
  'never-ends'() {
    throw new Postponed(lookAgainMs)
  },
  code({ code }) {
    throw toFailure(code, false)
  },
  retries({ attempts, code }, earlier) {
    if (earlier < attempts) throw toFailure(code, true)
    return undefined
  },
}

/** Nothing reached the provider, so nothing is booked and its breaker stays closed. */
function toFailure(code: string, retryable: boolean): ProviderError {
  return new ProviderError(code, 'A fault rule fails this unit.', { wire: 'not_sent', retryable })
}
