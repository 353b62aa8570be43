import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LineQuery, LineRange, LogLineStore } from '../ports/log-lines.js'

/** The lines that one statement looks through for those of a status or a time: SQLite keeps other calls waiting meanwhile. */
const linesSearched = 5000

export interface LogFilter<T> extends Pick<LineQuery, 'kind' | 'id' | 'status' | 'since'> {
  /** Tests the conditions that the table does not know. */
  readonly matches: (entry: T) => boolean
}

export interface LogScan<T> {
  /** Returns the next entries; fewer than `limit` at the end. */
  next(limit: number): Promise<T[]>
  /**
   * Returns the cursor after the entries read so far; of a backward scan, the cursor after its first entry. Called after
   * the first `next`.
   */
  cursor(): string
}

/** The first character tells the format of the rest. */
const version = '3'

/**
 * Reads the lines after a cursor, in the order in which they were written; with an undefined cursor, all lines. Without `from`,
 * reads backward from the end, the newest line first. Lines that are written meanwhile are left out.
 */
export function scanLog<T>(
  store: LogLineStore,
  { matches, ...conditions }: LogFilter<T>,
  from?: { readonly cursor?: string | undefined },
): LogScan<T> {
  const newestFirst = from === undefined
  const after = from?.cursor === undefined ? 0 : Number.parseInt(from.cursor.slice(version.length), 36)
  let end = 0
  /** The lines that are not read yet. */
  let rest: LineRange | undefined

  /** Reads the next part of the rest. Returns no more entries than `limit`. */
  async function readOn({ first, last }: LineRange, limit: number): Promise<T[]> {
    // An index finds lines by ID.
    const searched = conditions.id === undefined ? linesSearched : Number.POSITIVE_INFINITY
    const part = newestFirst
      ? { first: Math.max(first, last - searched + 1), last }
      : { first, last: Math.min(last, first + searched - 1) }
    const found = await store.listLogLines({ ...conditions, ...part, newestFirst, limit })
    const isWhole = found.length < limit
    const read = found.at(-1)?.id ?? 0
    rest = newestFirst
      ? { first, last: isWhole ? part.first - 1 : read - 1 }
      : { first: isWhole ? part.last + 1 : read + 1, last }
    return found.map(({ text }) => JSON.parse(text) as T).filter(matches)
  }

  return {
    async next(limit) {
      if (rest === undefined) {
        const { first, last } = await store.findLogRange()
        end = last
        // A cursor may be of lines that a power cut took.
        rest = { first: Math.max(first, Math.min(after, last) + 1), last }
      }
      const entries: T[] = []
      while (entries.length < limit && rest.first <= rest.last) {
        entries.push(...(await readOn(rest, Math.min(limit - entries.length, linesSearched))))
        await nextTurn()
      }
      return entries
    },
    cursor: () => version + (newestFirst || rest === undefined ? end : rest.first - 1).toString(36),
  }
}
