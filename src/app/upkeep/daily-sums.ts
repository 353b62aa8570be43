import type { UsageStore } from '../../ports/usage.js'
import { reasonOf } from '../../runtime/reason.js'
import type { Cleaner } from './cleaner.js'

/** The interval at which a process looks if a day is over that no process has summed. */
const hourMs = 3_600_000

/**
 * Sums usage per day, so that reports are fast and old records can be deleted: once a day over all processes. Reports the first
 * of several failures in a row, and their end.
 */
export function startDailySums(
  store: Pick<UsageStore, 'sumPastDays'>,
  delayMs: number,
  report: (message: string) => void,
  everyMs = hourMs,
): Cleaner {
  let running = Promise.resolve()
  let isFailing = false
  let timer = setTimeout(sum, delayMs).unref()

  function sum(): void {
    timer = setTimeout(sum, everyMs).unref()
    running = store.sumPastDays().then(
      () => {
        if (isFailing) report('Usage is summed per day again.')
        isFailing = false
      },
      (error) => {
        if (!isFailing) report(describeFailure(reasonOf(error)))
        isFailing = true
      },
    )
  }

  return {
    async close() {
      clearTimeout(timer)
      await running
    },
  }
}

function describeFailure(reason: string): string {
  return (
    `Usage was not summed per day, so reports become slower and \`svc data prune --usage\` keeps these days. ` +
    `This process tries again every hour, and says when it succeeds. Reason: ${reason}`
  )
}
