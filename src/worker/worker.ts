import { SvcError } from '../errors.js'
import { describeError } from '../log/error.js'
import type { ClaimedUnit, Holder, UnitKind, UnitQueue } from '../ports/tasks.js'
import { type Run, startRun } from './run.js'
import type { UnitRunner } from './runner.js'
import type { TaskLog } from './unit-log.js'

export interface WorkerOptions {
  readonly store: UnitQueue
  readonly log: TaskLog
  /** The worker closes it. */
  readonly holder: Holder
  readonly runners: Readonly<Record<UnitKind, UnitRunner>>
  /** Units in work at once by provider label, all processes together. */
  readonly slots: Readonly<Record<string, number>>
  /** Units in work at once in this process. */
  readonly concurrency: number
  readonly leaseMs?: number
  /** How often it looks for units of other processes. */
  readonly pollMs?: number
  /** What the wait between two tries of a unit grows to. */
  readonly backoffMsAtMost?: number
  /** Epoch milliseconds; must run as the database's time does. */
  readonly now?: () => number
  readonly onProgress?: (unit: ClaimedUnit, fraction: number) => void
}

export interface Worker {
  /** Looks for work at once: to be called when a task was created in this process. */
  wake(): void
  /** Resolves when no unit waits or is in work, here or in another process; or when the worker is closed. */
  idle(): Promise<void>
  /**
   * Claims no more and begins to buy nothing more, lets calls that are sent end within `graceMs`, hands back the other units
   * as they were, and frees the holder.
   */
  close(graceMs: number): Promise<void>
}

const defaultLeaseMs = 30_000
const defaultPollMs = 1000
/** Where nothing waits at all, it looks this many times less often. */
const idlePolls = 5
const shortestWaitMs = 20

export function createWorker(options: WorkerOptions): Worker {
  const { store, log, holder, slots, concurrency, leaseMs = defaultLeaseMs, pollMs = defaultPollMs } = options
  const now = options.now ?? Date.now
  const providers = Object.keys(slots)
  const running = new Set<Run>()
  const idleWaiters = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let lookAgain = false
  let waitMs = shortestWaitMs
  let closing: Promise<void> | undefined
  let closed = false
  const renewals = setInterval(renew, leaseMs / 3).unref()

  function wake(): void {
    lookAgain = true
    if (closed) return
    looking ??= look().finally(() => {
      looking = undefined
      if (lookAgain) wake()
    })
  }

  async function look(): Promise<void> {
    clearTimeout(timer)
    let delayMs = pollMs
    while (lookAgain && !closed) {
      lookAgain = false
      try {
        delayMs = await claim()
      } catch (error) {
        const time = new Date(now()).toISOString()
        log.write({ time, event: 'claim_failed', error: describeError(error) })
      }
    }
    if (!closed) timer = setTimeout(wake, delayMs).unref()
  }

  /** Starts what is to be had, and answers how long to wait until the next look. */
  async function claim(): Promise<number> {
    const limit = concurrency - running.size
    const units = limit > 0 ? await store.claimUnits({ holderId: holder.id, limit, leaseMs, slots }) : []
    for (const unit of units) start(unit)
    if (units.length > 0) waitMs = shortestWaitMs
    // The end of a running unit is the next occasion.
    if (running.size >= concurrency) return pollMs
    const dueMs = await store.findNextDueMs(providers)
    if (dueMs === undefined) {
      // Not where it was woken meanwhile: the database may have answered before there was work.
      if (running.size === 0 && !lookAgain) tellIdle()
      return pollMs * idlePolls
    }
    if (dueMs > 0) return Math.min(dueMs, pollMs)
    // Due, but not to be had: others hold its slots, or it has become due just now.
    waitMs = Math.min(waitMs * 2, pollMs)
    return waitMs
  }

  function start(unit: ClaimedUnit): void {
    const run = startRun(unit, { ...options, leaseMs, now })
    running.add(run)
    run.ended.finally(() => {
      running.delete(run)
      wake()
    })
  }

  async function renew(): Promise<void> {
    const leases = [...running].map(({ lease }) => lease)
    if (leases.length === 0) return
    const askedAt = performance.now()
    try {
      const held = new Set(await store.renewLeases(leases, leaseMs))
      for (const run of running) {
        if (!leases.includes(run.lease)) continue
        if (held.has(run.lease)) run.renewed(askedAt)
        else run.lose()
      }
    } catch {
      // The database is out of order; a lease that it can no longer prolong ends by itself.
      for (const run of running) run.loseIfOver()
    }
  }

  function tellIdle(): void {
    for (const resolve of idleWaiters) resolve()
    idleWaiters.clear()
  }

  async function stop(graceMs: number): Promise<void> {
    closed = true
    clearTimeout(timer)
    await looking
    for (const run of running) run.leave()
    await settleWithin([...running], graceMs)
    const left = [...running]
    for (const run of left) run.release()
    await Promise.all(left.map(({ ended }) => ended))
    clearInterval(renewals)
    await holder.close()
    // Whoever still waits would keep the process alive for ever.
    tellIdle()
  }

  wake()
  return {
    wake,
    idle() {
      if (closed) throw new SvcError('unavailable', 'The worker is closed.')
      return new Promise((resolve) => {
        // The worker's own timers do not keep the process alive; somebody who waits does.
        const keepAlive = setInterval(() => {}, 60_000)
        idleWaiters.add(() => {
          clearInterval(keepAlive)
          resolve()
        })
        wake()
      })
    },
    close(graceMs) {
      closing ??= stop(graceMs)
      return closing
    },
  }
}

async function settleWithin(runs: readonly Run[], graceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs)
  })
  await Promise.race([Promise.all(runs.map(({ ended }) => ended)), over])
  clearTimeout(timer)
}
