import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../runtime/entry.js'
import { reasonOf } from '../../runtime/reason.js'

const everyMs = 86_400_000

export interface Cleaner {
  close(): Promise<void>
}

export interface CleanerWork {
  /** The data directory. */
  readonly path: string
  /** True if it holds the files too: leftovers of killed processes are removed. */
  readonly hasObjects: boolean
  /** True if usage is summed per day: not where a test may set the clock back to a day that is summed. */
  readonly sumsUsage: boolean
}

/** Does the daily work on a data directory in a thread: once after `delayMs`, then once a day. Reports failures. */
export function startCleaner(work: CleanerWork, delayMs: number, report: (message: string) => void): Cleaner {
  let thread: Worker | undefined
  let timer = setTimeout(clean, delayMs).unref()

  function clean(): void {
    timer = setTimeout(clean, everyMs).unref()
    thread = startWorker('app/upkeep/cleaner-thread', { workerData: work })
    thread.on('error', (error) =>
      report(`The daily work on ${work.path} failed. The server tries again in a day. Reason: ${reasonOf(error)}`),
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
