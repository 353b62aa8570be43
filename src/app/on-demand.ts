import { SvcError } from '../errors.js'

/** Something that is made when it is asked for first, and closed if it was made. */
export interface OnDemand<T> {
  get(): Promise<T>
  /** What was made, if it was; also after `close`. */
  peek(): Promise<T | undefined>
  /** Closes what was made, if it was; a later call of `get` throws `unavailable`. */
  close(close: (made: T) => Promise<void>): Promise<void>
}

/** What could not be made is tried again when it is asked for again. */
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
    // What could not be made needs no end.
    peek: async () => making?.catch(() => undefined),
    async close(close) {
      closed = true
      const made = await this.peek()
      if (made !== undefined) await close(made)
    },
  }
}
