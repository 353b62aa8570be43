import type { Worker } from 'node:worker_threads'
import { describeStorage, type StorageConfig } from '../../config/storage.js'
import type { UsageStore } from '../../ports/usage.js'
import { startWorker } from '../../runtime/entry.js'
import { reasonOf } from '../../runtime/reason.js'

const everyMs = 86_400_000

export interface Cleaner {
  close(): Promise<void>
}

export interface CleanerWork {
  /** The data directory. */
  readonly path: string
  /** Set if old work is pruned: the storage, and the age in days. */
  readonly pruned?: { readonly storage: StorageConfig; readonly days: number } | undefined
  /** True if it holds the files too: leftovers of killed processes are removed. */
  readonly hasObjects: boolean
  /** True if usage is summed per day: not where a test may set the clock back to a day that is summed. */
  readonly sumsUsage: boolean
}

/** Does the daily work on a service in a thread: once after `delayMs`, then once a day. Reports failures. */
export function startCleaner(work: CleanerWork, delayMs: number, report: (message: string) => void): Cleaner {
  const place = work.pruned === undefined ? work.path : describeStorage(work.pruned.storage)
  let thread: Worker | undefined
  let timer = setTimeout(clean, delayMs).unref()

  function clean(): void {
    timer = setTimeout(clean, everyMs).unref()
    thread = startWorker('app/upkeep/cleaner-thread', { workerData: work })
    thread.on('error', (error) =>
      report(`The daily work on ${place} failed. The server tries again in a day. Reason: ${reasonOf(error)}`),
    )
    thread.unref()
  }

  return {
    async close() {
      clearTimeout(timer)
      await thread?.terminate()
    },
  }
}

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
