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
  let goOn = () => {}
  let checkpoint: Promise<void> | undefined

  // Without the thread SQLite makes its checkpoints itself, on this one: slower, nothing is lost. So it is when the program
  // runs from its sources, which Node 20 cannot start a thread with.
  function breakOff(): void {
    broken = true
    worker = undefined
    goOn()
  }

  function start(): Worker {
    return new Worker(workerUrl, { workerData: { file } })
      .on('message', () => goOn())
      .on('error', breakOff)
      .on('exit', breakOff)
  }

  return {
    async countCommit(rows) {
      pages += pagesPerCommit + rows / rowsPerPage
      if (checkpoint === undefined && pages >= pagesPerCheckpoint && !broken) {
        pages = 0
        worker ??= start()
        const asked = worker
        checkpoint = new Promise<void>((resolve) => {
          goOn = resolve
          asked.postMessage('checkpoint')
        }).finally(() => {
          checkpoint = undefined
        })
      }
      await checkpoint
    },
    async close() {
      const ending = worker
      if (ending === undefined) return
      await new Promise<void>((resolve) => {
        ending.once('exit', () => resolve())
        ending.postMessage('close')
      })
    },
  }
}
