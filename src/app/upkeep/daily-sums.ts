import type { UsageStore } from '../../ports/usage.js'
import type { Cleaner } from './cleaner.js'

/** The interval at which a process looks if a day is over that no process has summed. */
const everyMs = 3_600_000

/** Sums usage per day, so that reports are fast and old records can be deleted: once a day over all processes. */
export function startDailySums(store: Pick<UsageStore, 'sumPastDays'>, delayMs: number): Cleaner {
  let running = Promise.resolve()
  let timer = setTimeout(sum, delayMs).unref()

  function sum(): void {
    timer = setTimeout(sum, everyMs).unref()
    // The next run tries again.
    running = store.sumPastDays().catch(() => {})
  }

  return {
    async close() {
      clearTimeout(timer)
      await running
    },
  }
}
