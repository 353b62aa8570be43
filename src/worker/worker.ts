import { SvcError } from '../errors.js'
import { describeError } from '../log/redact.js'
import type { ClaimedUnit, Holder } from '../ports/queue.js'
import type { UnitKind } from '../ports/tasks.js'
import { waitAtMost } from '../runtime/abort.js'
import { startRun, type UnitRun } from './run.js'
import type { AttemptOptions } from './unit-attempt.js'

type Defaulted = 'leaseMs' | 'now'

export interface WorkerOptions extends Omit<AttemptOptions, Defaulted>, Partial<Pick<AttemptOptions, Defaulted>> {
  /** Closed by the worker. */
  readonly holder: Holder
  /** Units in work at once by provider label, over all processes. */
  readonly slots: Readonly<Record<string, number>>
  /** The same of providers that work in this process: units in work here. */
  readonly ownSlots?: Readonly<Record<string, number>>
  /** Units in work at once in this process. */
  readonly concurrency: number
  /** The interval of polls for units of other processes. */
  readonly pollMs?: number
  /** The same while the queue is empty: the longest time until a task of another process begins. */
  readonly idlePollMs?: number | undefined
}

export interface Worker {
  /** Polls for units immediately. Called after a task was created in this process. */
  wake(): void
  /** Resolves when no unit is unfinished, here or in another process, or when the worker is closed. */
  idle(): Promise<void>
  /** Returns the kinds of the units that a stop would wait for, with those that are being claimed. */
  listRunning(): Promise<UnitKind[]>
  /**
   * Stops claiming and buying, waits up to `graceMs` for calls that were sent, releases the other units, and closes the
   * holder.
   */
  close(graceMs: number): Promise<void>
}

const defaultLeaseMs = 30_000
const defaultPollMs = 1000
/** Few tasks come from other processes, unless some processes only answer calls. */
const defaultIdlePollMs = 5000
const shortestWaitMs = 20

export function createWorker(options: WorkerOptions): Worker {
  const { store, log, holder, slots, ownSlots = {}, concurrency } = options
  const { leaseMs = defaultLeaseMs, pollMs = defaultPollMs } = options
  const idlePollMs = options.idlePollMs ?? Math.min(defaultIdlePollMs, 5 * pollMs)
  const { now = store.now } = options
  const providers = Object.keys({ ...slots, ...ownSlots })
  const running = new Set<UnitRun>()
  const idleWaiters = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let pollAgain = false
  let waitMs = shortestWaitMs
  let closing: Promise<void> | undefined
  let closed = false
  const renewals = setInterval(renew, leaseMs / 3).unref()

  function wake(): void {
    pollAgain = true
    if (closed) return
    polling ??= poll().finally(() => {
      polling = undefined
      if (pollAgain) wake()
    })
  }

  async function poll(): Promise<void> {
    clearTimeout(timer)
    let delayMs = pollMs
    while (pollAgain && !closed) {
      pollAgain = false
      try {
        delayMs = await claim()
      } catch (error) {
        const time = new Date(now()).toISOString()
        log.write({ time, event: 'claim_failed', error: describeError(error) })
      }
    }
    if (!closed) timer = setTimeout(wake, delayMs).unref()
  }

  /** Claims and starts units. Returns the delay until the next poll. */
  async function claim(): Promise<number> {
    const limit = concurrency - running.size
    const claim = { holderId: holder.id, limit, leaseMs, slots, ownSlots }
    const units = limit > 0 ? await store.claimUnits(claim) : []
    for (const unit of units) start(unit)
    if (units.length > 0) waitMs = shortestWaitMs
    // The next unit that ends wakes the worker.
    if (running.size >= concurrency) return pollMs
    const dueMs = await store.findNextDueMs(providers)
    if (dueMs === undefined) {
      // Not if the worker was woken meanwhile: the database may have answered before the task was created.
      if (running.size === 0 && !pollAgain) notifyIdle()
      return idlePollMs
    }
    if (dueMs > 0) return Math.min(dueMs, pollMs)
    // Due, but not claimable: others hold its slots, or it has just become due.
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
    const sentAt = performance.now()
    try {
      const held = new Set(await store.renewLeases(leases, leaseMs))
      for (const run of running) {
        if (!leases.includes(run.lease)) continue
        if (held.has(run.lease)) run.renewed(sentAt)
        else run.lose()
      }
    } catch {
      // The database is unavailable: leases that cannot be renewed expire.
      for (const run of running) run.loseIfOver()
    }
  }

  function notifyIdle(): void {
    for (const resolve of idleWaiters) resolve()
    idleWaiters.clear()
  }

  async function stop(graceMs: number): Promise<void> {
    closed = true
    clearTimeout(timer)
    await polling
    for (const run of running) run.leave()
    const ends = () => Promise.all([...running].map(({ ended }) => ended))
    await waitAtMost(ends(), graceMs)
    for (const run of running) run.release()
    await ends()
    clearInterval(renewals)
    await holder.close()
    // A pending `idle()` would keep the process alive forever.
    notifyIdle()
  }

  wake()
  return {
    wake,
    async listRunning() {
      await polling
      return [...running].flatMap((run) => (run.isAwaited() ? [run.kind] : []))
    },
    idle() {
      if (closed) throw new SvcError('unavailable', 'The worker is closed.')
      return new Promise((resolve) => {
        // The worker's own timers do not keep the process alive; a pending `idle()` does.
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
