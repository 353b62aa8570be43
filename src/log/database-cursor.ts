import { SvcError } from '../errors.js'
import type { LogWriter } from '../ports/log-lines.js'

/** A position in the log of the database. */
export interface DatabasePosition {
  /** Of an instance that `numbers` does not name, the lines up to this time are read. */
  readonly readUntil: number
  /** The number of the last read line, by instance. */
  readonly numbers: ReadonlyMap<string, number>
}

/** The first part, which tells the format of the rest. */
const version = '2'
/** Lines arrive within this time, even after an outage of the database and with clocks that differ. */
const lateMs = 3_600_000

/** True if an instance has no lines after a position. */
export function isRead({ instance, lastNumber, lastAt }: LogWriter, { readUntil, numbers }: DatabasePosition): boolean {
  const number = numbers.get(instance)
  return number === undefined ? lastAt <= readUntil : lastNumber <= number
}

/**
 * Encodes a position for a URL. Names only the instances that have lines around `point`, the time up to which all is read, so
 * that the cursor stays short after many restarts.
 */
export function toDatabaseCursor(
  writers: readonly LogWriter[],
  numberOf: (writer: LogWriter) => number,
  point: number,
  readBefore = 0,
): string {
  const end = Math.min(point, Math.max(0, ...writers.map(({ lastAt }) => lastAt)))
  const readUntil = Math.max(readBefore, end - lateMs)
  const parts = writers.flatMap((writer) => {
    const number = numberOf(writer)
    const isNamed = writer.lastAt > readUntil && (number > 0 || writer.firstAt <= end)
    return isNamed ? [`${writer.instance}_${number.toString(36)}`] : []
  })
  return [version, readUntil.toString(36), ...parts].join('.')
}

/** Decodes a cursor. Throws `invalid_request` for that of a log in a folder. */
export function fromDatabaseCursor(cursor: string): DatabasePosition {
  const [format, readUntil = '', ...parts] = cursor.split('.')
  if (format !== version) {
    throw new SvcError('invalid_request', '`after` is the cursor of another log: leave it out to begin again.')
  }
  const numbers = parts.map((part) => {
    const at = part.lastIndexOf('_')
    return [part.slice(0, at), Number.parseInt(part.slice(at + 1), 36)] as const
  })
  return { readUntil: Number.parseInt(readUntil, 36), numbers: new Map(numbers) }
}
