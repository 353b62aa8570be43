import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { SvcError } from '../../errors.js'
import { listLogFiles, type RequestEntry } from '../../log.js'
import { reasonOf } from '../input/reason.js'

const chunkBytes = 1 << 20

interface Position {
  offset: number
  /** Bytes behind the last line feed: a line that is still being written. */
  rest: string
}

/**
 * Reads a folder of log files again and again: every call gives what was written since the one before, by time.
 * Throws an SvcError (`unavailable`) that says why the folder or a file cannot be read.
 */
export function createLogReader(folder: string): () => RequestEntry[] {
  const read = new Map<string, Position>()
  return () =>
    attempt(folder, () => listLogFiles(folder))
      .flatMap((file) => {
        const position = read.get(file) ?? { offset: 0, rest: '' }
        read.set(file, position)
        return attempt(file, () => readFile(file, position))
      })
      .flatMap(parseLine)
      .sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
}

function attempt<Value>(path: string, action: () => Value): Value {
  try {
    return action()
  } catch (cause) {
    throw new SvcError('unavailable', `The log ${path} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}

/** The whole lines behind `position`, which moves on; none of what is no file. */
function readFile(file: string, position: Position): string[] {
  let descriptor: number
  try {
    // A pipe of that name must not make the program wait for a writer.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    // Deleted since the folder was listed, to make room.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  try {
    return fstatSync(descriptor).isFile() ? readLines(descriptor, position) : []
  } finally {
    closeSync(descriptor)
  }
}

function readLines(descriptor: number, position: Position): string[] {
  const lines: string[] = []
  const decoder = new TextDecoder()
  const chunk = Buffer.alloc(chunkBytes)
  for (let size = chunkBytes; size > 0; ) {
    size = readSync(descriptor, chunk, 0, chunkBytes, position.offset)
    position.offset += size
    const parts = (position.rest + decoder.decode(chunk.subarray(0, size), { stream: true })).split('\n')
    position.rest = parts.pop() ?? ''
    lines.push(...parts)
  }
  return lines
}

/** A line cut short by a crash, or one that tells of no call, is no entry. */
function parseLine(line: string): RequestEntry[] {
  try {
    const value: unknown = JSON.parse(line)
    return isEntry(value) ? [value] : []
  } catch {
    return []
  }
}

type Test = (value: unknown) => boolean

const isText: Test = (value) => typeof value === 'string'
const isNumber: Test = (value) => typeof value === 'number'
const isTextOrNone: Test = (value) => value === undefined || isText(value)
const isHit: Test = (value) => isRecord(value) && isText(value.rule) && isText(value.path)
const areHitsOrNone: Test = (value) => value === undefined || (Array.isArray(value) && value.every(isHit))

const entryTests: Readonly<Record<keyof RequestEntry, Test>> = {
  time: isText,
  request_id: isText,
  caller_request_id: isTextOrNone,
  method: isText,
  path: isText,
  status: isNumber,
  duration_ms: isNumber,
  key_id: isTextOrNone,
  key_name: isTextOrNone,
  violations: areHitsOrNone,
  warnings: areHitsOrNone,
  error: () => true,
}

function isEntry(value: unknown): value is RequestEntry {
  return isRecord(value) && Object.entries(entryTests).every(([name, test]) => test(value[name]))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
