import type { Worker } from 'node:worker_threads'
import type { DataDir } from '../../runtime/data-dir.js'
import { startWorker } from '../../runtime/entry.js'

const everyMs = 86_400_000

export interface Cleaner {
  close(): Promise<void>
}

/** Removes leftovers of killed processes in a thread: once after `delayMs`, then once a day. */
export function startCleaner({ path }: DataDir, delayMs: number): Cleaner {
  let thread: Worker | undefined
  let timer = setTimeout(clean, delayMs).unref()

  function clean(): void {
    timer = setTimeout(clean, everyMs).unref()
    // The next run tries again; `svc doctor` reports files that cannot be removed.
    thread = startWorker('app/upkeep/cleaner-thread', { workerData: path }).on('error', () => {})
    thread.unref()
  }

  return {
    async close() {
      clearTimeout(timer)
      await thread?.terminate()
    },
  }
}
