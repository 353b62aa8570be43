import type { ClaimedUnit } from '../ports/tasks.js'
import { Abandoned, handleError, type Stop, stopWork, succeed, type Work, type WorkOptions } from './outcome.js'
import { findBegun } from './purchase.js'
import type { FailureCounts } from './retry.js'
import type { RunResult } from './runner.js'
import { createUnitLog } from './unit-log.js'

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
  /**
   * The worker ends: no call that buys is begun any more. One that is sent goes on to its end; what is ordered is handed
   * back at once, since another attempt goes on with it at no cost.
   */
  leave(): void
  /** Stops the work and hands the unit back. */
  release(): void
}

/** A runner that does not stop when it is told to is given up after this time. */
const stopMs = 2000
const timeoutMsAtMost = 2 ** 31 - 1

export function startRun(unit: ClaimedUnit, options: WorkOptions): Run {
  const controller = new AbortController()
  const { failures, memo } = readMemo(unit.memo)
  const log = createUnitLog(options.log, unit, options.now)
  const work: RunningWork = { unit, options, controller, log, failures, memo, isOver: false, isLeaving: false }
  const stop = (why: Stop) => stopWork(work, why)
  let leasedUntil = performance.now() + options.leaseMs
  return {
    lease: unit.lease,
    ended: run(work),
    renewed(at) {
      leasedUntil = at + options.leaseMs
    },
    lose: () => stop('lost'),
    loseIfOver() {
      if (performance.now() >= leasedUntil) stop('lost')
    },
    leave() {
      work.isLeaving = true
      if (findBegun(work.memo)?.isOrdered) stop('released')
    },
    release: () => stop('released'),
  }
}

interface RunningWork extends Work {
  isLeaving: boolean
}

async function run(work: RunningWork): Promise<void> {
  const { unit, options, log } = work
  const leftMs = unit.deadlineAt.getTime() - options.now()
  const stopAtDeadline = () => stopWork(work, 'deadline')
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
async function runToEnd(work: RunningWork): Promise<RunResult> {
  const { unit, options, controller } = work
  const { signal } = controller
  const run = options.runners[unit.task.kind](
    { ...unit, memo: work.memo },
    {
      signal,
      saveMemo: (memo) => saveMemo(work, memo),
      onUnstored: (error, delayMs) => work.log('retrying', { code: 'internal_error', delay_ms: delayMs, error }),
      onProgress: (fraction) => options.onProgress?.(unit, fraction),
    },
  )
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

async function saveMemo(work: RunningWork, memo: unknown): Promise<void> {
  const { unit, options, failures } = work
  const begun = findBegun(memo)
  if (work.isLeaving && begun !== undefined && findBegun(work.memo) === undefined) {
    stopWork(work, 'released')
    throw new Error('The worker ends, so nothing more is bought.')
  }
  if (!(await options.store.saveMemo(unit.lease, { failures, memo }))) {
    stopWork(work, 'lost')
    throw new Error('The lease of the unit is lost.')
  }
  work.memo = memo
  if (work.isLeaving && begun?.isOrdered) stopWork(work, 'released')
}
