/** Settles as `promise` does, or calls `onAbort` and rejects with the reason of `signal` as soon as that is aborted. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal, onAbort = () => {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      onAbort()
      reject(signal.reason)
    }
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/** Settles as `promise` does, or resolves with undefined after `ms`. */
export async function waitAtMost<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  return Promise.race([promise, over]).finally(() => clearTimeout(timer))
}

/**
 * Creates a signal that aborts after `ms`, or as soon as `outer` does and with its reason.
 * @NOTE the built-in `AbortSignal.timeout` and `.any` may be garbage-collected before they abort (nodejs/node #57736, #57867).
 */
export function limitTime(ms: number, outer?: AbortSignal, words = 'the time is over') {
  const controller = new AbortController()
  let over = false
  const onOuter = () => controller.abort(outer?.reason)
  const timer = setTimeout(() => {
    over = !controller.signal.aborted
    controller.abort(new Error(words))
  }, ms)
  if (outer?.aborted) onOuter()
  else outer?.addEventListener('abort', onOuter, { once: true })
  return {
    signal: controller.signal,
    /** True if the time aborted the signal, not `outer`. */
    isOver: () => over,
    /** Stops the timer. Call it when the limited work has ended. */
    close(): void {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onOuter)
    },
  }
}
