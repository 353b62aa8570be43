import { setTimeout as delay } from 'node:timers/promises'
import { isSvcError } from '../errors.js'
import { settleTask } from '../media/status.js'
import { isProviderError, type ProviderError } from '../ports/provider.js'
import type { ClaimedUnit, LedgerEntry, UnitFailure, UnitOutcome } from '../ports/tasks.js'
import { describeFailure } from './failures.js'
import { type Failure, type FailureCounts, findRetryDelayMs } from './retry.js'
import type { RunResult } from './runner.js'
import { createUnitLog } from './unit-log.js'
import type { WorkerOptions } from './worker.js'

/** A unit in work. */
export interface Run {
  readonly lease: string
  /** Resolves when nothing more is done for the unit here. Never rejects. */
  readonly ended: Promise<void>
  /** The lease was prolonged; `at` is when that was asked for, by the monotonic clock. */
  renewed(at: number): void
  /** The lease is another's. */
  lose(): void
  loseIfOver(): void
  /** Stops the work and hands the unit back. */
  release(): void
}

type RunOptions = Pick<WorkerOptions, 'store' | 'log' | 'runners' | 'onProgress'> & {
  readonly leaseMs: number
  readonly now: () => number
}

/** Why a run is stopped from outside; the reason of its signal. */
type Stop = 'lost' | 'released' | 'deadline'

interface Work {
  readonly unit: ClaimedUnit
  readonly options: RunOptions
  readonly controller: AbortController
  readonly log: ReturnType<typeof createUnitLog>
  readonly failures: FailureCounts
  /** What the runner keeps for the next attempt. */
  memo: unknown
}

/** A runner that does not stop when it is told to is given up after this time. */
const stopMs = 2000
const saveAgainMs = 250
const timeoutMsAtMost = 2 ** 31 - 1

export function startRun(unit: ClaimedUnit, options: RunOptions): Run {
  const controller = new AbortController()
  const stop = (why: Stop) => controller.abort(why)
  let leasedUntil = performance.now() + options.leaseMs
  return {
    lease: unit.lease,
    ended: run(unit, options, controller),
    renewed(at) {
      leasedUntil = at + options.leaseMs
    },
    lose: () => stop('lost'),
    loseIfOver() {
      if (performance.now() >= leasedUntil) stop('lost')
    },
    release: () => stop('released'),
  }
}

async function run(unit: ClaimedUnit, options: RunOptions, controller: AbortController): Promise<void> {
  const log = createUnitLog(options.log, unit, options.now)
  const { failures, memo } = readMemo(unit.memo)
  const work: Work = { unit, options, controller, log, failures, memo }
  const leftMs = unit.deadlineAt.getTime() - options.now()
  const stopAtDeadline = () => controller.abort('deadline' satisfies Stop)
  if (leftMs <= 0) stopAtDeadline()
  const deadline = setTimeout(stopAtDeadline, Math.min(leftMs, timeoutMsAtMost)).unref()
  log('started')
  try {
    const result = await runToEnd(work).catch((error: unknown) => ({ error }))
    await ('error' in result ? handleError(work, result.error) : succeed(work, result))
  } catch (error) {
    // Nothing can be written: the lease runs out, and the unit is taken up again from its memo.
    log('lost', { error })
  } finally {
    clearTimeout(deadline)
  }
}

/** What stands in a unit's memo: the runner's own, and the failures of earlier tries. */
function readMemo(memo: unknown): { readonly failures: FailureCounts; readonly memo: unknown } {
  return memo === null ? { failures: {}, memo: null } : (memo as ReturnType<typeof readMemo>)
}

/** Runs the unit. Throws what the runner throws, or `Abandoned` if it does not stop soon after the signal. */
async function runToEnd(work: Work): Promise<RunResult> {
  const { unit, options, controller } = work
  const { signal } = controller
  let timer: NodeJS.Timeout | undefined
  const abandoned = new Promise<never>((_, reject) => {
    const abandon = () => {
      timer = setTimeout(() => reject(new Abandoned()), stopMs)
    }
    if (signal.aborted) abandon()
    else signal.addEventListener('abort', abandon)
  })
  const context = {
    signal,
    saveMemo: (memo: unknown) => saveMemo(work, memo),
    onProgress: (fraction: number) => options.onProgress?.(unit, fraction),
  }
  try {
    return await Promise.race([options.runners[unit.task.kind]({ ...unit, memo: work.memo }, context), abandoned])
  } finally {
    clearTimeout(timer)
  }
}

class Abandoned extends Error {
  override readonly name = 'Abandoned'
}

async function saveMemo(work: Work, memo: unknown): Promise<void> {
  const { unit, options, controller, failures } = work
  if (!(await options.store.saveMemo(unit.lease, { failures, memo }))) {
    controller.abort('lost' satisfies Stop)
    throw new Error('The lease of the unit is lost.')
  }
  work.memo = memo
}

async function succeed(work: Work, { output, usage }: RunResult): Promise<void> {
  const isDuplicate = (work.failures.ambiguous ?? 0) > 0
  const booked = usage && { ...usage, maybeDuplicate: usage.maybeDuplicate || isDuplicate }
  if (await settle(work, { status: 'success', output, usage: booked })) work.log('succeeded')
}

async function handleError(work: Work, error: unknown): Promise<void> {
  const { unit, options, controller, log } = work
  const stop: Stop | undefined = controller.signal.aborted ? controller.signal.reason : undefined
  if (stop === 'lost') return log('lost')
  if (stop === 'released') {
    await options.store.releaseUnits([unit.lease])
    return log('released')
  }
  const failure = describe(work, error, stop)
  if (failure.retry === undefined) return fail(work, failure.view, failure.usage, error)
  const { wire, retryable, retryAfterMs } = failure.retry
  const delayMs = findRetryDelayMs(unit.task.kind, { wire, retryable, retryAfterMs }, work.failures)
  // Waiting past the deadline would only hide the reason.
  if (delayMs === undefined || options.now() + delayMs >= unit.deadlineAt.getTime())
    return fail(work, failure.view, failure.usage, error)
  const failures = { ...work.failures, [wire]: (work.failures[wire] ?? 0) + 1 }
  // What is to be bought again must not find the traces of the first time.
  const memo = { failures, memo: wire === 'ambiguous' ? null : work.memo }
  const retry = { delayMs, memo, usage: failure.usage }
  if (await persist(work, () => options.store.retryUnit(unit.lease, retry)))
    log('retrying', { code: failure.view.code, delay_ms: delayMs, error })
}

interface Described {
  readonly view: UnitFailure
  readonly usage: LedgerEntry | null
  /** Unless it is final. */
  readonly retry?: Failure
}

function describe(work: Work, error: unknown, stop: Stop | undefined): Described {
  const { input } = work.unit.task
  if (stop === 'deadline') {
    const isUnclear = error instanceof Abandoned || (isProviderError(error) && error.wire === 'ambiguous')
    return { view: describeFailure('timed_out', input), usage: isUnclear ? toUsage(work, error) : null }
  }
  if (isProviderError(error)) {
    const usage = error.wire === 'ambiguous' ? toUsage(work, error) : null
    return { view: { code: error.code, message: error.message }, usage, retry: error }
  }
  const view = describeFailure('internal_error', input)
  // The database or the disk is out of order: what was done stands in the memo.
  const isPassing = isSvcError(error) && error.code === 'unavailable'
  return { view, usage: null, ...(isPassing && { retry: { wire: 'not_sent', retryable: true } }) }
}

/** A call that may have been paid. */
function toUsage({ unit, failures }: Work, error: Abandoned | ProviderError): LedgerEntry {
  const { quantity, costMicros } = ('purchase' in error && error.purchase) || { quantity: 1, costMicros: 0 }
  return {
    model: unit.task.model,
    quantity,
    unit: unit.task.kind === 'avatar' ? 'image' : 'clip',
    costMicros,
    certain: false,
    maybeDuplicate: (failures.ambiguous ?? 0) > 0,
  }
}

async function fail(work: Work, failure: UnitFailure, usage: LedgerEntry | null, error: unknown): Promise<void> {
  if (await settle(work, { status: 'failed', failure, usage })) work.log('failed', { code: failure.code, error })
}

function settle(work: Work, outcome: UnitOutcome): Promise<boolean> {
  const { unit, options } = work
  return persist(work, () =>
    options.store.settleUnit(unit.lease, outcome, (units) => settleTask(unit.task.kind, units)),
  )
}

/** Writes what became of the unit; a database out of order is asked again for as long as the lease is held. */
async function persist({ controller, log }: Work, write: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    try {
      const isHeld = await write()
      if (!isHeld) log('lost')
      return isHeld
    } catch (error) {
      const isPassing = isSvcError(error) && error.code === 'unavailable'
      const { aborted, reason } = controller.signal
      if (!isPassing || (aborted && reason !== 'deadline')) throw error
    }
    await delay(saveAgainMs)
  }
}
