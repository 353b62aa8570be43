/** A part of a log: the lines of one writer, in order of time. */
export interface LogPart<T> {
  readonly isDone: boolean
  /** The time of the next entry, or of the last read line. */
  readonly time: string
  /** Removes and returns the next buffered entry. */
  take(): T | undefined
}

/**
 * Merges the entries of the parts by time. The next entry of a part without buffered ones follows its last read line, so the
 * part is read further only when that line is the first of all.
 */
export async function merge<T, P extends LogPart<T>>(
  parts: readonly P[],
  limit: number,
  comesFirst: (one: string, other: string) => boolean,
  read: (part: P) => Promise<void>,
): Promise<T[]> {
  const entries: T[] = []
  while (entries.length < limit) {
    let first: P | undefined
    for (const part of parts) {
      if (!part.isDone && (first === undefined || comesFirst(part.time, first.time))) first = part
    }
    if (first === undefined) break
    const entry = first.take()
    if (entry !== undefined) entries.push(entry)
    else await read(first)
  }
  return entries
}

export const ascending = (one: string, other: string) => one < other
export const descending = (one: string, other: string) => one > other
