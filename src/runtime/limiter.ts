export interface LimiterOptions {
  /** Maximum number of calls that run at once. */
  readonly atOnce: number
  /** The slots that only urgent calls get, in addition. */
  readonly urgentMore?: number | undefined
  /** Without a limit, any number waits. */
  readonly waitingAtMost?: number | undefined
  readonly waitingBytesAtMost?: number | undefined
  /** The time after which a waiting call is refused. */
  readonly waitMs?: number | undefined
  /** Creates the error of a refused call. */
  readonly refuse: () => Error
}

export interface Limiter {
  /**
   * Runs `work` when a slot is free. Refuses the call immediately if too many wait, and after `waitMs`; rejects with the
   * reason of `signal` if it is aborted while the call waits.
   */
  run<T>(work: () => Promise<T>, call?: LimitedCall): Promise<T>
}

export interface LimitedCall {
  /** The memory that the call holds while it waits. */
  readonly sizeBytes?: number
  readonly signal?: AbortSignal | undefined
  /** True if the call goes before those that are not urgent. */
  readonly isUrgent?: boolean
}

interface Waiter {
  readonly sizeBytes: number
  readonly isUrgent: boolean
  readonly timer: NodeJS.Timeout | undefined
  go(): void
}

/** Limits the number of concurrent calls. Others wait in order of arrival, within bounds. */
export function createLimiter({
  atOnce,
  urgentMore = 0,
  waitingAtMost = Number.POSITIVE_INFINITY,
  waitingBytesAtMost = Number.POSITIVE_INFINITY,
  waitMs,
  refuse,
}: LimiterOptions): Limiter {
  const waiting = new Set<Waiter>()
  // Negative while urgent calls have slots of their own.
  let free = atOnce
  let waitingBytes = 0

  function leave(waiter: Waiter): void {
    clearTimeout(waiter.timer)
    waiting.delete(waiter)
    waitingBytes -= waiter.sizeBytes
  }

  const mayGo = ({ isUrgent }: Pick<Waiter, 'isUrgent'>) => free > (isUrgent ? -urgentMore : 0)

  async function acquire({ sizeBytes = 0, signal, isUrgent = false }: LimitedCall): Promise<void> {
    signal?.throwIfAborted()
    if (mayGo({ isUrgent })) {
      free -= 1
      return
    }
    if (waiting.size >= waitingAtMost || waitingBytes + sizeBytes > waitingBytesAtMost) throw refuse()
    waitingBytes += sizeBytes
    let onAbort = () => {}
    await new Promise<void>((go, reject) => {
      const giveUp = (reason: unknown) => {
        leave(waiter)
        reject(reason)
      }
      onAbort = () => giveUp(signal?.reason)
      const timer = waitMs === undefined ? undefined : setTimeout(() => giveUp(refuse()), waitMs)
      const waiter: Waiter = { sizeBytes, isUrgent, timer, go }
      waiting.add(waiter)
      signal?.addEventListener('abort', onAbort)
    }).finally(() => signal?.removeEventListener('abort', onAbort))
  }

  /** Passes the slot to the urgent call that has waited longest, or to another. */
  function release(): void {
    free += 1
    const calls = [...waiting]
    const next = calls.find(({ isUrgent }) => isUrgent) ?? calls[0]
    if (next === undefined || !mayGo(next)) return
    free -= 1
    leave(next)
    next.go()
  }

  return {
    async run(work, call = {}) {
      await acquire(call)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
