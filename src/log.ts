import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, rmSync, statSync, write, writeSync } from 'node:fs'
import { join } from 'node:path'

/** One line of the request log. Holds no body, no ID or name out of one, and no key. */
export interface RequestEntry {
  readonly time: string
  readonly request_id: string
  /** What the caller sent as X-Request-ID, where that could not be used as it is; shortened. */
  readonly caller_request_id?: string | undefined
  readonly method: string
  readonly path: string
  readonly status: number
  readonly duration_ms: number
  readonly key_id?: string | undefined
  readonly key_name?: string | undefined
  /** Which rules the body breaks, and where: rule IDs and JSON Pointers, never what was found there. */
  readonly violations?: readonly RuleHit[] | undefined
  readonly warnings?: readonly RuleHit[] | undefined
  readonly error?: unknown
}

export interface RuleHit {
  readonly rule: string
  readonly path: string
}

export interface RequestLog {
  write(entry: RequestEntry): void
  /** Writes what waits and closes the file. */
  close(): void
}

export interface LogLimits {
  /** A file that has reached this size gets no more lines. */
  readonly fileBytes: number
  /** The oldest files are deleted while all together are larger than this, or more than `files`. */
  readonly totalBytes: number
  readonly files: number
}

const defaultLimits: LogLimits = { fileBytes: 8 << 20, totalBytes: 64 << 20, files: 200 }
const groupMs = 20
/** Beyond this a disk that does not keep up costs lines, not memory. */
const waitingCharactersAtMost = 16 << 20

/**
 * A log of JSON lines in `folder`. Every process writes files of its own, named by the time they begin, so that nothing
 * has to be renamed under a reader or another writer. Lines are written in groups, off the calling turn.
 */
export function openRequestLog(folder: string, limits: LogLimits = defaultLimits): RequestLog {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let waiting: string[] = []
  let waitingCharacters = 0
  let timer: NodeJS.Timeout | undefined
  let writing = false
  let closed = false
  let file = openLogFile(folder, limits)

  function takeWaiting(): Buffer {
    const bytes = Buffer.from(waiting.join(''))
    waiting = []
    waitingCharacters = 0
    return bytes
  }

  function startNewFileIfDue(): void {
    // A file without a name was deleted by another process that had to make room.
    if (file.bytes < limits.fileBytes && fstatSync(file.descriptor).nlink > 0) return
    const next = openLogFile(folder, limits)
    closeSync(file.descriptor)
    file = next
  }

  function writeGroup(): void {
    timer = undefined
    if (writing || waiting.length === 0) return
    try {
      startNewFileIfDue()
    } catch {
      // A full disk or a lost folder must not stop the service; the log goes on when it can.
      schedule()
      return
    }
    const { descriptor } = file
    const bytes = takeWaiting()
    writing = true
    file.bytes += bytes.length
    write(descriptor, bytes, () => {
      writing = false
      if (closed) closeSync(descriptor)
      else if (waiting.length > 0) schedule()
    })
  }

  function schedule(): void {
    timer ??= setTimeout(writeGroup, groupMs)
  }

  return {
    write(entry) {
      if (closed || waitingCharacters > waitingCharactersAtMost) return
      const line = `${JSON.stringify(entry)}\n`
      waitingCharacters += line.length
      waiting.push(line)
      if (!writing) schedule()
    },
    close() {
      closed = true
      clearTimeout(timer)
      writeSync(file.descriptor, takeWaiting())
      if (!writing) closeSync(file.descriptor)
    },
  }
}

/** The log files of a folder, oldest first; none if the folder does not exist. */
export function listLogFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d{8}T\d{9}Z-\d+\.jsonl$/.test(name))
      .sort()
      .map((name) => join(folder, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function openLogFile(folder: string, limits: LogLimits): { descriptor: number; bytes: number } {
  deleteOldest(folder, limits)
  const newest = listLogFiles(folder).at(-1) ?? ''
  for (let time = Date.now(); ; time++) {
    const name = `${new Date(time).toISOString().replaceAll(/[-:.]/g, '')}-${process.pid}.jsonl`
    // Within a millisecond the names must still rise: the lowest is deleted first.
    if (join(folder, name) <= newest) continue
    try {
      return { descriptor: openSync(join(folder, name), 'ax', 0o600), bytes: 0 }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Leaves room for one more file of full size. */
function deleteOldest(folder: string, limits: LogLimits): void {
  let bytes = limits.fileBytes
  const files = listLogFiles(folder).reverse()
  for (const [index, file] of files.entries()) {
    bytes += statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (bytes > limits.totalBytes || index + 1 >= limits.files) rmSync(file, { force: true })
  }
}
