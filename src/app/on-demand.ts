import { SvcError } from '../errors.js'

/** A value that is created on first use, and closed if it was created. */
export interface OnDemand<T> {
  get(): Promise<T>
  /** Returns the value if it was created; also after `close`. */
  peek(): Promise<T | undefined>
  /** Closes the value if it was created. A later `get` rejects with `unavailable`. */
  close(close: (made: T) => Promise<void>): Promise<void>
}

/** Creates the value with `make` on first use. A failed `make` is retried by the next `get`. */
export function onDemand<T>(make: () => Promise<T>): OnDemand<T> {
  let making: Promise<T> | undefined
  let closed = false
  return {
    get() {
      if (closed) return Promise.reject(new SvcError('unavailable', 'The service is stopping. Try again soon.'))
      making ??= make().catch((error) => {
        making = undefined
        throw error
      })
      return making
    },
    // A value that could not be created need not be closed.
    peek: async () => making?.catch(() => undefined),
    async close(close) {
      closed = true
      const made = await this.peek()
      if (made !== undefined) await close(made)
    },
  }
}
