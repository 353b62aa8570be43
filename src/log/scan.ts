import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { SvcError } from '../errors.js'
import { type LineFilter, LogFile, type TimedEntry } from './log-file.js'
import { listLogFiles } from './request-log.js'

/** The offset up to which each file was read, by file name. */
export type LogPosition = ReadonlyMap<string, number>

/** A lazy read of all log files in a folder, merged by time. */
export interface LogScan<T> {
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
): LogScan<T> {
  const sizes = listSizes(folder)
  const offsetOf = (path: string) => from.get(basename(path)) ?? 0
  const files = [...sizes]
    .filter(([path, size]) => size > offsetOf(path))
    .map(([path]) => new LogFile(path, offsetOf(path), filter))
  const comesFirst = (one: string, other: string) => one < other
  return {
    next: (limit) => merge(files, limit, comesFirst, (file) => file.readOn()),
    position() {
      const read = new Map(files.map(({ path, position }) => [path, position]))
      return new Map([...sizes.keys()].map((path) => [basename(path), read.get(path) ?? offsetOf(path)]))
    },
  }
}

/** Reads backward from the end, the newest entry first. Never stops early: after a clock change old lines follow new ones. */
export function scanBackward<T extends TimedEntry>(folder: string, filter: LineFilter<T>): LogScan<T> {
  const files = [...listSizes(folder)].map(([path, size]) => new LogFile(path, size, filter, 'backward'))
  const comesFirst = (one: string, other: string) => one > other
  return {
    next: (limit) => merge(files, limit, comesFirst, (file) => file.readBack()),
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

/**
 * Merges the entries of the files by time. The next entry of a file without buffered ones follows its last
 * read line, unless the clock was set back, so the file is read further only when that line is the first of all.
 */
async function merge<T extends TimedEntry>(
  files: readonly LogFile<T>[],
  limit: number,
  comesFirst: (one: string, other: string) => boolean,
  read: (file: LogFile<T>) => Promise<void>,
): Promise<T[]> {
  const entries: T[] = []
  while (entries.length < limit) {
    let first: LogFile<T> | undefined
    for (const file of files) {
      if (!file.isDone && (first === undefined || comesFirst(file.time, first.time))) first = file
    }
    if (first === undefined) break
    const entry = first.take()
    if (entry !== undefined) entries.push(entry)
    else {
      await read(first).catch((cause) => {
        throw unreadable(cause)
      })
    }
  }
  return entries
}

function unreadable(cause: unknown): SvcError {
  return new SvcError('unavailable', 'The request log cannot be read at the moment.', { cause })
}
