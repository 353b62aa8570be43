export interface LimiterOptions {
  /** Maximum number of calls that run at once. */
  readonly atOnce: number
  /** Without a limit, any number waits. */
  readonly waitingAtMost?: number | undefined
  readonly waitingBytesAtMost?: number | undefined
  /** The time after which a waiting call is refused. */
  readonly waitMs?: number | undefined
  /** Creates the error of a refused call. */
  readonly refuse: () => Error
}

export interface LimitedCall {
  /** The memory that the call holds while it waits. */
  readonly sizeBytes?: number
  readonly signal?: AbortSignal | undefined
}

interface Waiter {
  readonly sizeBytes: number
  readonly timer: NodeJS.Timeout | undefined
  go(): void
}

/**
 * Returns a function that limits the number of concurrent calls. It runs `work` when a slot is free; others wait in order of
 * arrival. It refuses a call immediately if too many wait, and after `waitMs`; rejects with the reason of `signal` if it is aborted
 * while the call waits.
 */
export function createLimiter({
  atOnce,
  waitingAtMost = Number.POSITIVE_INFINITY,
  waitingBytesAtMost = Number.POSITIVE_INFINITY,
  waitMs,
  refuse,
}: LimiterOptions) {
  const waiting = new Set<Waiter>()
  let free = atOnce
  let waitingBytes = 0

  function leave(waiter: Waiter): void {
    clearTimeout(waiter.timer)
    waiting.delete(waiter)
    waitingBytes -= waiter.sizeBytes
  }

  async function acquire({ sizeBytes = 0, signal }: LimitedCall): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) {
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
      const waiter: Waiter = { sizeBytes, timer, go }
      waiting.add(waiter)
      signal?.addEventListener('abort', onAbort)
    }).finally(() => signal?.removeEventListener('abort', onAbort))
  }

  /** Passes the slot to the call that has waited longest. */
  function release(): void {
    const [next] = waiting
    if (next === undefined) {
      free += 1
      return
    }
    leave(next)
    next.go()
  }

  return async <T>(work: () => Promise<T>, call: LimitedCall = {}): Promise<T> => {
    await acquire(call)
    try {
      return await work()
    } finally {
      release()
    }
  }
}
