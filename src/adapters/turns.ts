import { SvcError } from '../errors.js'

export interface TurnsLimits {
  /** How many work at a time. */
  readonly atOnce: number
  readonly waitingAtMost: number
  readonly waitingBytesAtMost: number
  /** How long one waits before it is refused. */
  readonly waitMs: number
  /** What one who is refused is told. */
  readonly refusal: string
}

export interface Turns {
  /**
   * Works when its turn comes. `sizeBytes` is what it holds in memory meanwhile. Throws `unavailable` at once where too
   * many wait, and later when it has waited too long; the reason of `signal` when it is aborted while it waits.
   */
  run<T>(sizeBytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

interface Waiting {
  readonly sizeBytes: number
  readonly timer: NodeJS.Timeout
  go(): void
}

/** Lets so many work at a time; the others wait in the order they came, within bounds. */
export function createTurns(limits: TurnsLimits): Turns {
  const waiting = new Set<Waiting>()
  let free = limits.atOnce
  let waitingBytes = 0
  const refuse = () => new SvcError('unavailable', limits.refusal)

  function leave(one: Waiting): void {
    clearTimeout(one.timer)
    waiting.delete(one)
    waitingBytes -= one.sizeBytes
  }

  async function take(sizeBytes: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    const isFull = waiting.size >= limits.waitingAtMost || waitingBytes + sizeBytes > limits.waitingBytesAtMost
    if (isFull) throw refuse()
    waitingBytes += sizeBytes
    let onAbort = () => {}
    await new Promise<void>((go, reject) => {
      const giveUp = (reason: unknown) => {
        leave(one)
        reject(reason)
      }
      onAbort = () => giveUp(signal?.reason)
      const one: Waiting = { sizeBytes, timer: setTimeout(() => giveUp(refuse()), limits.waitMs), go }
      waiting.add(one)
      signal?.addEventListener('abort', onAbort)
    }).finally(() => signal?.removeEventListener('abort', onAbort))
  }

  /** Hands the turn on to whoever waits longest. */
  function give(): void {
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
      await take(sizeBytes, signal)
      try {
        return await work()
      } finally {
        give()
      }
    },
  }
}
