import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { SvcError } from '../errors.js'
import { listLogFiles } from '../log.js'
import { type LineFilter, LogFile, type Timed } from './file.js'

/** How many bytes of each file have been read, by the file's name. */
export type Position = ReadonlyMap<string, number>

/** What a folder of log files holds, read as far as it is asked for. All files are read side by side, by time. */
export interface Scan<T> {
  /** The next entries; fewer than `limit` where there are no more. */
  next(limit: number): Promise<T[]>
  /** Behind the entries so far; of a scan from the end, behind its first one. */
  position(): Position
}

/** Reads on from a position, the oldest entry first. Costs a look at each file where nothing was written since. */
export function scanForward<T extends Timed>(folder: string, from: Position, filter: LineFilter<T>): Scan<T> {
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

/** Reads from the end, the newest entry first. Ends nowhere sooner: a clock that was set back has old lines behind new ones. */
export function scanBackward<T extends Timed>(folder: string, filter: LineFilter<T>): Scan<T> {
  const files = [...listSizes(folder)].map(([path, size]) => new LogFile(path, size, filter, 'backward'))
  const comesFirst = (one: string, other: string) => one > other
  return {
    next: (limit) => merge(files, limit, comesFirst, (file) => file.readBack()),
    position: () => new Map(files.map(({ path, end }) => [basename(path), end])),
  }
}

/** By path; of regular files alone: a pipe would keep its reader waiting. */
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
 * Takes from each file in turn what comes first. A file of which nothing is at hand has nothing that comes sooner than the
 * line of it that was read last, if its clock was not set back, and is only read on when that comes first.
 */
async function merge<T extends Timed>(
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
