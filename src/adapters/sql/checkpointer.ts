import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { entryUrl } from '../../entry.js'

/** About 4 MB of log, SQLite's own threshold. */
const pagesPerCheckpoint = 1000
/** A commit rewrites a few pages of tables and their roots; a page holds about 12 appended rows. */
const pagesPerCommit = 4
const rowsPerPage = 12

export interface Checkpointer {
  /** Counts a commit. Resolves when the next commit may be made: at once, or after the checkpoint that was due. */
  countCommit(rows: number): Promise<void>
  close(): Promise<void>
}

/**
 * Has checkpoints made by a worker thread, which starts when the first one is due. Commits wait meanwhile (in memory, not
 * the requests): so the checkpoint reaches the end of the log, and the log starts over instead of growing.
 */
export function createCheckpointer(file: string, workerUrl: URL = entryUrl('adapters/sql/checkpoint')): Checkpointer {
  let pages = 0
  let worker: Worker | undefined
  let broken = false
  return {
    async countCommit(rows) {
      pages += pagesPerCommit + rows / rowsPerPage
      if (pages < pagesPerCheckpoint || broken) return
      pages = 0
      worker ??= new Worker(workerUrl, { workerData: { file } })
      const done = once(worker, 'message')
      worker.postMessage('checkpoint')
      try {
        await done
      } catch {
        // Without the thread SQLite makes its checkpoints itself, on this one: slower, nothing is lost. So it is when the
        // program runs from its sources, which Node 20 cannot start a thread with.
        broken = true
        worker = undefined
      }
    },
    async close() {
      if (worker === undefined) return
      const ended = once(worker, 'exit')
      worker.postMessage('close')
      await ended
    },
  }
}
