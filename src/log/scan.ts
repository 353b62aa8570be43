import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { SvcError } from '../errors.js'
import { listLogFiles } from './folder-log.js'
import { type LineFilter, LogFile } from './log-file.js'
import { ascending, descending, merge } from './merge.js'
import type { TimedEntry } from './request-log.js'

/** The offset up to which each file was read, by file name. */
export type LogPosition = ReadonlyMap<string, number>

/** A lazy read of all log files in a folder, merged by time. */
export interface FolderScan<T> {
  /** Returns the next entries; fewer than `limit` at the end. */
  next(limit: number): Promise<T[]>
  /** Returns the position after the entries read so far; of a backward scan, the position after its first entry. */
  position(): LogPosition
}

/** Reads forward from a position, the oldest entry first. Costs one `stat` per file if nothing was written since. */
export function scanForward<T extends TimedEntry>(
  folder: string,
  from: LogPosition,
  filter: LineFilter<T>,
): FolderScan<T> {
  const sizes = listSizes(folder)
  const offsetOf = (path: string) => from.get(basename(path)) ?? 0
  const files = [...sizes]
    .filter(([path, size]) => size > offsetOf(path))
    .map(([path]) => new LogFile(path, offsetOf(path), filter))
  return {
    next: (limit) => merge(files, limit, ascending, (file) => file.readOn().catch(refuse)),
    position() {
      const read = new Map(files.map(({ path, position }) => [path, position]))
      return new Map([...sizes.keys()].map((path) => [basename(path), read.get(path) ?? offsetOf(path)]))
    },
  }
}

/** Reads backward from the end, the newest entry first. Never stops early: after a clock change old lines follow new ones. */
export function scanBackward<T extends TimedEntry>(folder: string, filter: LineFilter<T>): FolderScan<T> {
  const files = [...listSizes(folder)].map(([path, size]) => new LogFile(path, size, filter, 'backward'))
  return {
    next: (limit) => merge(files, limit, descending, (file) => file.readBack().catch(refuse)),
    position: () => new Map(files.map(({ path, end }) => [basename(path), end])),
  }
}

/** Returns file sizes by path. Only of regular files: a pipe would block its reader. */
function listSizes(folder: string): ReadonlyMap<string, number> {
  try {
    const sizes = new Map<string, number>()
    for (const path of listLogFiles(folder)) {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats?.isFile()) sizes.set(path, stats.size)
    }
    return sizes
  } catch (cause) {
    throw unreadable(cause)
  }
}

function refuse(cause: unknown): never {
  throw unreadable(cause)
}

function unreadable(cause: unknown): SvcError {
  return new SvcError('unavailable', 'The request log cannot be read at the moment.', { cause })
}
