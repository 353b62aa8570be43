import { waitAtMost } from '../../../runtime/abort.js'
import type { Writer } from './writer.js'

/** About 4 MB of write-ahead log, SQLite's default threshold. */
const pagesPerCheckpoint = 1000
/** About 16 MB: commits wait for the checkpoint, which makes the log restart. */
const pagesInLongLog = 4000
/** A commit rewrites a few pages of tables and roots. A page holds about 12 appended rows. */
const pagesPerCommit = 4
const rowsPerPage = 12

/**
 * Makes the writer thread run checkpoints. A checkpoint that no commit interrupts reaches the end of the log, and the log
 * restarts instead of growing. So commits (not the requests) that come in groups wait for it, and all do once the log is long.
 */
export function createCheckpointer(writer: Pick<Writer, 'checkpoint'>) {
  let pages = 0
  let pagesInLog = 0
  let isInterrupted = false
  let checkpoint: Promise<void> | undefined

  function start(): void {
    // Without a thread, or if the checkpoint fails, SQLite runs it in a later commit: slower, but nothing is lost. It fails
    // mostly on a full disk: the rows stay in the log, and a commit that has no room for its own rows fails.
    checkpoint = writer.checkpoint()?.then(
      () => {
        if (!isInterrupted) pagesInLog = 0
      },
      () => {},
    )
    if (checkpoint === undefined) return
    pages = 0
    isInterrupted = false
    void checkpoint.then(() => {
      checkpoint = undefined
    })
  }

  return {
    /** Counts a commit. Returns a promise if the next commit must wait for a checkpoint, because the log is long. */
    count(rows: number): Promise<void> | undefined {
      const written = pagesPerCommit + rows / rowsPerPage
      pages += written
      pagesInLog += written
      isInterrupted = true
      if (checkpoint === undefined && pages >= pagesPerCheckpoint) start()
      return pagesInLog >= pagesInLongLog ? checkpoint : undefined
    },
    /** Resolves when no checkpoint runs, or after `ms`; without a limit if the log is long. */
    async wait(ms: number): Promise<void> {
      if (checkpoint === undefined) return
      if (ms === Number.POSITIVE_INFINITY || pagesInLog >= pagesInLongLog) return checkpoint
      await waitAtMost(checkpoint, ms)
    },
  }
}
