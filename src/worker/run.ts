import type { UnitEffect, UnitFaults } from '../ports/faults.js'
import { ProviderError } from '../ports/provider.js'
import type { ClaimedUnit } from '../ports/queue.js'
import type { UnitKind } from '../ports/tasks.js'
import { handleError, succeed } from './outcome.js'
import { findBegun } from './purchase.js'
import type { RunResult } from './unit-attempt.js'
import {
  Abandoned,
  type AttemptOptions,
  createUnitLog,
  Postponed,
  type RunContext,
  readMemo,
  type StopReason,
  stopAttempt,
  type UnitAttempt,
} from './unit-attempt.js'

/** A running unit, as controlled by the worker. */
export interface UnitRun {
  readonly lease: string
  readonly kind: UnitKind
  /** Resolves when this process has finished with the unit. Never rejects. */
  readonly ended: Promise<void>
  /** Records a renewal of the lease; `at` is the time of its request on the monotonic clock. */
  renewed(at: number): void
  /** Stops the run because another process has the lease. */
  lose(): void
  /** The same, if the lease has expired. */
  loseIfOver(): void
  /**
   * Prevents new purchases because the worker is closing. A call that was sent continues to its end. An ordered unit is
   * released immediately, because another attempt continues it at no cost.
   */
  leave(): void
  /** True if a closing worker waits for it: an ordered unit is released instead. */
  isAwaited(): boolean
  /** Stops the run and releases the unit. */
  release(): void
}

/** The time after which a runner that ignores its signal is abandoned. */
const stopMs = 2000
const timeoutMsAtMost = 2 ** 31 - 1

export function startRun(unit: ClaimedUnit, options: AttemptOptions): UnitRun {
  const controller = new AbortController()
  const { failures, memo } = readMemo(unit.memo)
  const log = createUnitLog(options, unit, () => attempt.fault?.id)
  const attempt: RunningAttempt = { unit, options, controller, log, failures, memo, isOver: false, isLeaving: false }
  const stop = (why: StopReason) => stopAttempt(attempt, why)
  const isOrdered = () => findBegun(attempt.memo)?.isOrdered === true
  let leasedUntil = performance.now() + options.leaseMs
  return {
    lease: unit.lease,
    kind: unit.task.kind,
    ended: run(attempt),
    renewed(at) {
      leasedUntil = at + options.leaseMs
    },
    lose: () => stop('lost'),
    loseIfOver() {
      if (performance.now() >= leasedUntil) stop('lost')
    },
    leave() {
      attempt.isLeaving = true
      if (isOrdered()) stop('released')
    },
    isAwaited: () => !isOrdered(),
    release: () => stop('released'),
  }
}

interface RunningAttempt extends UnitAttempt {
  isLeaving: boolean
}

async function run(attempt: RunningAttempt): Promise<void> {
  const { unit, options, log } = attempt
  const leftMs = unit.deadlineAt.getTime() - options.now()
  const stopAtDeadline = () => stopAttempt(attempt, 'deadline')
  if (leftMs <= 0) stopAtDeadline()
  const deadline = setTimeout(stopAtDeadline, Math.min(leftMs, timeoutMsAtMost)).unref()
  log('started')
  try {
    const result = await runToEnd(attempt).catch((error: unknown) => ({ error }))
    await ('error' in result ? handleError(attempt, result.error) : succeed(attempt, result))
  } catch (error) {
    // The outcome cannot be written: the lease expires, and another attempt continues from the memo.
    log('lost', { error })
  } finally {
    clearTimeout(deadline)
  }
}

/** Runs the unit. Rejects with the runner's error, or `Abandoned` if the runner does not stop soon after the signal. */
async function runToEnd(attempt: RunningAttempt): Promise<RunResult> {
  const { signal } = attempt.controller
  const run = inSpan(attempt, (traceparent) => startRunner(attempt, traceparent))
  let timer: NodeJS.Timeout | undefined
  let giveUp = () => {}
  const abandoned = new Promise<never>((_, reject) => {
    giveUp = () => {
      timer = setTimeout(() => reject(new Abandoned()), stopMs)
    }
  })
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([run, abandoned])
  } finally {
    signal.removeEventListener('abort', giveUp)
    clearTimeout(timer)
  }
}

/** Runs work with the position of the unit in the trace of its task. */
function inSpan<T>(
  { unit, options }: RunningAttempt,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  const { kind, id, provider, traceparent: parent } = unit.task
  if (options.tracing === undefined) return work(parent)
  const attributes = { 'svc.task_id': id, 'svc.unit': unit.name, 'svc.provider': provider, 'svc.attempt': unit.attempt }
  return options.tracing.run({ name: `unit ${kind}`, kind: 'consumer', parent, attributes }, (span) =>
    work(span.traceparent),
  )
}

async function startRunner(attempt: RunningAttempt, traceparent: string | undefined): Promise<RunResult> {
  const { unit, options, controller } = attempt
  const only = options.faults && (await meetFault(attempt, options.faults))
  return options.runners[unit.task.kind](
    { ...unit, memo: attempt.memo },
    {
      signal: controller.signal,
      leftMs: () => unit.deadlineAt.getTime() - options.now(),
      traceparent,
      only,
      saveMemo: (memo) => saveMemo(attempt, memo),
      isGone: async () => attempt.isOver && (await options.store.isUnitGone(unit.id)),
      onUnstored: (error, delayMs) => attempt.log('retrying', { code: 'internal_error', delay_ms: delayMs, error }),
    },
  )
}

async function saveMemo(attempt: RunningAttempt, memo: unknown): Promise<void> {
  const { unit, options, failures } = attempt
  const begun = findBegun(memo)
  if (attempt.isLeaving && begun !== undefined && findBegun(attempt.memo) === undefined) {
    stopAttempt(attempt, 'released')
    throw new Error('The worker is closing, so nothing more is bought.')
  }
  if (!(await options.store.saveMemo(unit.lease, { failures, memo }))) {
    stopAttempt(attempt, 'lost')
    throw new Error('The lease of the unit is lost.')
  }
  attempt.memo = memo
  if (attempt.isLeaving && begun?.isOrdered) stopAttempt(attempt, 'released')
}

/** The interval at which a unit that never ends looks whether its rule was removed. */
const lookAgainMs = 10_000

/**
 * Makes a unit meet its fault, before its provider is asked. Returns the only file that its clip may have. Rejects with the
 * failure, or with `Postponed`.
 */
async function meetFault(attempt: UnitAttempt, faults: UnitFaults): Promise<RunContext['only']> {
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
