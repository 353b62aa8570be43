import type { Writer } from './writer.js'

/** About 4 MB of write-ahead log, SQLite's default threshold. */
const pagesPerCheckpoint = 1000
/** A commit rewrites a few pages of tables and roots. A page holds about 12 appended rows. */
const pagesPerCommit = 4
const rowsPerPage = 12

/** Counts a commit. Resolves when the next commit may start: immediately, or after a checkpoint that was due. */
export type Checkpointer = (rows: number) => Promise<void>

/**
 * Makes the writer thread run checkpoints. Commits (not the requests) wait meanwhile, so the checkpoint reaches the end of
 * the log, and the log restarts instead of growing.
 */
export function createCheckpointer(writer: Pick<Writer, 'checkpoint'>): Checkpointer {
  let pages = 0
  let checkpoint: Promise<void> | undefined

  return async (rows) => {
    pages += pagesPerCommit + rows / rowsPerPage
    if (checkpoint === undefined && pages >= pagesPerCheckpoint) {
      // Without a thread, or if the checkpoint fails, SQLite runs it in a later commit: slower, but nothing is lost. It
      // fails mostly on a full disk: the rows stay in the log, and a commit that has no room for its own rows fails.
      checkpoint = writer.checkpoint()?.catch(() => {})
      if (checkpoint !== undefined) pages = 0
      void checkpoint?.then(() => {
        checkpoint = undefined
      })
    }
    await checkpoint
  }
}
