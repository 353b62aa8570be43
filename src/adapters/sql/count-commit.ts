import type { Writer } from './writer.js'

/** About 4 MB of log, SQLite's own threshold. */
const pagesPerCheckpoint = 1000
/** A commit rewrites a few pages of tables and their roots; a page holds about 12 appended rows. */
const pagesPerCommit = 4
const rowsPerPage = 12

/** Counts a commit. Resolves when the next commit may be made: at once, or after the checkpoint that was due. */
export type CountCommit = (rows: number) => Promise<void>

/**
 * Has checkpoints made by the thread that writes. Commits wait meanwhile (in memory, not the requests): so the checkpoint
 * reaches the end of the log, and the log starts over instead of growing.
 */
export function createCountCommit(writer: Pick<Writer, 'checkpoint'>): CountCommit {
  let pages = 0
  let checkpoint: Promise<void> | undefined

  return async (rows) => {
    pages += pagesPerCommit + rows / rowsPerPage
    if (checkpoint === undefined && pages >= pagesPerCheckpoint) {
      // Where there is none, or it fails, SQLite makes it itself in a later commit: slower, nothing is lost. A full disk,
      // mostly: the rows stay in the log, the next checkpoint takes them too, and a commit without room for its own says so.
      checkpoint = writer.checkpoint()?.catch(() => {})
      if (checkpoint !== undefined) pages = 0
      void checkpoint?.then(() => {
        checkpoint = undefined
      })
    }
    await checkpoint
  }
}
