/** The clock of a service: the time of its database, which a test may move for all processes. */
export interface ServiceClock {
  /** Returns the time in epoch milliseconds, on which all processes agree. Leases, deadlines and limits are by it. */
  now(): number
  /** Returns by how many milliseconds a test has moved the clock; 0 if it has not. */
  clockOffsetMs(): number
  /**
   * Stores the offset that `change` returns, given the current one. This process uses it at once, the others read it within
   * a second; resolves after that time if there are others. Rejects with `forbidden` outside the test environment.
   */
  moveClock(change: (offsetMs: number) => number): Promise<void>
}

/** Sets the clock to a time, from which it runs on. */
export function setClock(clock: ServiceClock, time: number): Promise<void> {
  const realTime = clock.now() - clock.clockOffsetMs()
  return clock.moveClock(() => time - realTime)
}

export const clockIsReal =
  'The clock is the real time while SVC_ENV is production; only the environment test can move it.'
