export interface LimiterOptions {
  /** Maximum number of calls that run at once. */
  readonly atOnce: number
  readonly waitingAtMost: number
  readonly waitingBytesAtMost: number
  /** The time after which a waiting call is refused. */
  readonly waitMs: number
  /** Creates the error of a refused call. */
  readonly refuse: () => Error
}

export interface Limiter {
  /**
   * Runs `work` when a slot is free. `sizeBytes` is the memory that the call holds while it waits. Refuses the call
   * immediately if too many wait, and after `waitMs`; rejects with the reason of `signal` if it is aborted while the call
   * waits.
   */
  run<T>(sizeBytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

interface Waiter {
  readonly sizeBytes: number
  readonly timer: NodeJS.Timeout
  go(): void
}

/** Limits the number of concurrent calls. Others wait in order of arrival, within bounds. */
export function createLimiter(limits: LimiterOptions): Limiter {
  const waiting = new Set<Waiter>()
  let free = limits.atOnce
  let waitingBytes = 0

  function leave(waiter: Waiter): void {
    clearTimeout(waiter.timer)
    waiting.delete(waiter)
    waitingBytes -= waiter.sizeBytes
  }

  async function acquire(sizeBytes: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    const isFull = waiting.size >= limits.waitingAtMost || waitingBytes + sizeBytes > limits.waitingBytesAtMost
    if (isFull) throw limits.refuse()
    waitingBytes += sizeBytes
    let onAbort = () => {}
    await new Promise<void>((go, reject) => {
      const giveUp = (reason: unknown) => {
        leave(waiter)
        reject(reason)
      }
      onAbort = () => giveUp(signal?.reason)
      const waiter: Waiter = { sizeBytes, timer: setTimeout(() => giveUp(limits.refuse()), limits.waitMs), go }
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

  return {
    async run(sizeBytes, work, signal) {
      await acquire(sizeBytes, signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
