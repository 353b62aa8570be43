import { deleteLinesBefore } from '../../log/database-log.js'
import type { LogLineStore } from '../../ports/log-lines.js'

/** Deletes the log lines of the database that are older than a time, or only counts them. Returns their number. */
export function pruneLogLines(store: LogLineStore, before: Date, dryRun: boolean): Promise<number> {
  return dryRun ? store.countLogLines(before) : deleteLinesBefore(store, before)
}
