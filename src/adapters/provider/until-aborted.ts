/** Settles as `promise` does, or throws the reason of `signal` as soon as that is aborted, after a call of `onAbort`. */
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
