import { fromCursor, toCursor } from './cursor.js'
import type { LineFilter } from './log-file.js'
import type { EntryFilter, LogReader, LogScan, TimedEntry } from './request-log.js'
import { type FolderScan, scanBackward, scanForward } from './scan.js'

/** Reads the log of a folder. */
export function createFolderReader(folder: string): LogReader {
  return {
    scanForward: (cursor, filter) =>
      withCursor(scanForward(folder, cursor === undefined ? new Map() : fromCursor(cursor), toLineFilter(filter))),
    scanBackward: (filter) => withCursor(scanBackward(folder, toLineFilter(filter))),
  }
}

function withCursor<T>({ next, position }: FolderScan<T>): LogScan<T> {
  return { next, cursor: () => toCursor(position()) }
}

/** Adds a text that every matching line contains, as the log writes it. */
function toLineFilter<T extends TimedEntry>({ match = {}, parse }: EntryFilter<T>): LineFilter<T> {
  const { id, status } = match
  if (id !== undefined) return { needle: JSON.stringify(id), parse }
  return { needle: status === undefined ? undefined : `"status":${status},`, parse }
}
