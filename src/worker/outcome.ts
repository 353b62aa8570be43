import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from '../errors.js'
import { settleTask } from '../media/status.js'
import { type BegunPurchase, isProviderError } from '../ports/provider.js'
import type { UnitOutcome } from '../ports/queue.js'
import type { Task, UnitFailure } from '../ports/tasks.js'
import type { LedgerEntry } from '../ports/usage.js'
import { describeFailure } from './failure-messages.js'
import { findBegun, findResult, toEntry } from './purchase.js'
import { type FailedAttempt, findRetryDelayMs } from './retry.js'
import {
  Abandoned,
  Postponed,
  type RunResult,
  readMemo,
  type StopReason,
  type UnitAttempt,
  UnstoredResult,
} from './unit-attempt.js'

const persistRetryMs = 250
/** An order is polled for the last time this long before its deadline, for any requested delay. */
const lastTryMs = 30_000

/** Settles a unit with its result. */
export async function succeed(attempt: UnitAttempt, { output, usage }: RunResult): Promise<void> {
  const booked = usage && markDuplicate(attempt, usage)
  if (await settle(attempt, { status: 'success', output, usage: booked })) attempt.log('succeeded')
}

/** Handles an error: schedules a retry, settles the unit as failed, or writes nothing if the lease is lost. */
export async function handleError(attempt: UnitAttempt, error: unknown): Promise<void> {
  const { unit, options, controller, log } = attempt
  const stop: StopReason | undefined = controller.signal.aborted ? controller.signal.reason : undefined
  if (stop === 'lost') return log('lost')
  if (stop === 'released') {
    await options.store.releaseUnits([unit.lease])
    return log('released')
  }
  if (error instanceof Postponed && stop === undefined) return postpone(attempt, error)
  const { view, usage, retry } = describe(attempt, error, stop)
  const delayMs = retry && findDelayMs(attempt, retry)
  if (delayMs === undefined) return fail(attempt, view, usage, error)
  const isUnclear = retry?.wire === 'ambiguous'
  const failures = retry && { ...attempt.failures, [retry.wire]: (attempt.failures[retry.wire] ?? 0) + 1 }
  // A second purchase must not find the memo of the first, which is booked now. Otherwise the memo stays and nothing is
  // booked: the next attempt continues the same purchase.
  const change = { delayMs, memo: { failures, memo: isUnclear ? null : attempt.memo }, usage: isUnclear ? usage : null }
  if (!(await persist(attempt, () => options.store.retryUnit(unit.lease, change)))) return
  countCost(attempt, change.usage)
  log('retrying', { code: view.code, delay_ms: delayMs, error })
}

/** Puts a unit off. It holds no slot meanwhile, and the delay survives this process. */
async function postpone(attempt: UnitAttempt, { delayMs }: Postponed): Promise<void> {
  const { unit, options, failures, memo, log } = attempt
  const change = { delayMs, memo: { failures, memo }, usage: null }
  const isHeld = await persist(attempt, () => options.store.retryUnit(unit.lease, change))
  // A unit that never ends is put off again and again.
  if (isHeld && unit.attempt === 1) log('postponed', { delay_ms: delayMs })
}

/** Returns the delay before the next attempt, or undefined: a retry after the deadline would only hide the failure. */
function findDelayMs({ unit, options, failures }: UnitAttempt, retry: FailedAttempt): number | undefined {
  const delayMs = findRetryDelayMs(unit.task.kind, retry, failures, options.backoffMsAtMost)
  const leftMs = unit.deadlineAt.getTime() - options.now()
  if (delayMs === undefined || delayMs < leftMs) return delayMs
  return retry.wire === 'ordered' && leftMs > lastTryMs ? leftMs - lastTryMs : undefined
}

interface DescribedError {
  readonly view: UnitFailure
  /** The certain or possible purchase. */
  readonly usage: LedgerEntry | null
  /** Absent if the failure is final. */
  readonly retry?: FailedAttempt
}

function describe(attempt: UnitAttempt, thrown: unknown, stop: StopReason | undefined): DescribedError {
  const { input } = attempt.unit.task
  const unstored = thrown instanceof UnstoredResult ? thrown : undefined
  const error = unstored === undefined ? thrown : unstored.cause
  const usage = unstored ? markDuplicate(attempt, unstored.usage) : toUsage(attempt, error)
  if (stop === 'deadline') return { view: describeFailure('timed_out', input), usage }
  if (isProviderError(error)) return { view: describeFailure(error.code, input), usage, retry: error }
  // The database or the disk is unavailable. What is done is in the memo.
  const retry = { wire: 'not_sent', retryable: true } as const
  return { view: describeFailure('internal_error', input), usage, ...(isUnavailable(error) && { retry }) }
}

/** Marks a call that repeats an ambiguous one, which may have been paid too. */
function markDuplicate({ failures }: Pick<UnitAttempt, 'failures'>, usage: LedgerEntry): LedgerEntry {
  return (failures.ambiguous ?? 0) > 0 ? { ...usage, maybeDuplicate: true } : usage
}

/** Returns the failure of a unit that is ended from outside, with what its attempts have bought or may have bought. */
export function endUnmade(task: Task, stored: unknown): UnitOutcome {
  const { failures, memo } = readMemo(stored)
  const { usage } = findResult(memo) ?? {
    usage: toUsage({ unit: { task: task as BoughtTask }, failures, memo }, undefined),
  }
  return { status: 'failed', failure: describeFailure('timed_out', task.input), usage }
}

type BoughtTask = Pick<UnitAttempt['unit']['task'], 'kind' | 'model'>
type BegunAttempt = Pick<UnitAttempt, 'failures' | 'memo'> & { readonly unit: { readonly task: BoughtTask } }

/** Returns the certain or possible payment, from the error or else from the memo. */
function toUsage(attempt: BegunAttempt, error: unknown): LedgerEntry | null {
  const begun = findLost(error) ?? findBegun(attempt.memo) ?? findUnknown(error)
  return begun ? markDuplicate(attempt, toEntry(attempt.unit.task, begun.purchase, begun.isOrdered)) : null
}

function findLost(error: unknown): BegunPurchase | undefined {
  if (!isProviderError(error) || error.purchase === undefined) return undefined
  const isOrdered = error.wire === 'ordered'
  return isOrdered || error.wire === 'ambiguous' ? { purchase: error.purchase, isOrdered } : undefined
}

/** Returns the possible purchase of a provider that saves no memo. */
function findUnknown(error: unknown): BegunPurchase | undefined {
  const isUnclear = error instanceof Abandoned || (isProviderError(error) && error.wire === 'ambiguous')
  return isUnclear ? { purchase: { quantity: 1, costMicros: 0 }, isOrdered: false } : undefined
}

async function fail(
  attempt: UnitAttempt,
  failure: UnitFailure,
  usage: LedgerEntry | null,
  error: unknown,
): Promise<void> {
  if (await settle(attempt, { status: 'failed', failure, usage })) attempt.log('failed', { code: failure.code, error })
}

async function settle(attempt: UnitAttempt, outcome: UnitOutcome): Promise<boolean> {
  const { unit, options } = attempt
  const isHeld = await persist(attempt, () =>
    options.store.settleUnit(unit.lease, outcome, (units) => settleTask(unit.task.kind, units)),
  )
  if (isHeld) countCost(attempt, outcome.usage)
  return isHeld
}

function countCost({ unit, options }: UnitAttempt, usage: LedgerEntry | null): void {
  if (usage !== null) options.measures?.countCost(unit.task.provider, usage.certain, usage.costMicros)
}

/** Writes the outcome. Retries while the database is unavailable and the lease is held. */
async function persist(attempt: UnitAttempt, write: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    try {
      const isHeld = await write()
      if (!isHeld) attempt.log('lost')
      return isHeld
    } catch (error) {
      if (!isUnavailable(error) || attempt.isOver) throw error
    }
    await delay(persistRetryMs)
  }
}
