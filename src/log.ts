import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, rmSync, statSync, write, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SvcError } from './errors.js'

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

/** One line about the work on a unit. The ID of its task is the trace. Holds nothing of what the task is about. */
export interface TaskEntry {
  readonly time: string
  readonly event:
    | 'started'
    | 'succeeded'
    | 'failed'
    | 'retrying'
    | 'released'
    | 'lost'
    | 'claim_failed'
    | 'deletions_failed'
    | 'breaker_opened'
    | 'breaker_closed'
  /** Of a breaker. */
  readonly provider?: string
  /** Of the unit; what is of no unit has none. */
  readonly task_id?: string
  /** Of the call that created the task. */
  readonly request_id?: string
  readonly unit?: string
  readonly attempt?: number
  readonly duration_ms?: number
  readonly code?: string
  /** Until the next attempt, or for how long a breaker is open. */
  readonly delay_ms?: number
  readonly error?: unknown
}

/** One line about a model service that did not do as it should, though the work goes on. Holds no key, URL or prompt. */
export interface ProviderEntry {
  readonly time: string
  readonly event: 'provider_warning'
  /** Its label. */
  readonly provider: string
  readonly task_id: string
  readonly detail: string
}

export interface RequestLog {
  write(entry: RequestEntry | TaskEntry | ProviderEntry): void
  /** Writes what waits and closes the file. Rejects with `unavailable` if lines are lost. */
  close(): Promise<void>
}

export interface LogLimits {
  /** No file grows beyond this, but for a single line that is larger. */
  readonly fileBytes: number
  /** The oldest files are deleted while all together are larger than this. */
  readonly totalBytes: number
  /** Where there are more, the smallest of the older half are deleted. */
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
  const waiting: string[] = []
  let waitingCharacters = 0
  let timer: NodeJS.Timeout | undefined
  /** What the disk has not taken yet of the group that is written now: it is tried until it is. */
  let rest: Buffer | undefined
  /** While the disk is asked: fulfilled when it has answered. */
  let asking: Promise<void> | undefined
  let closed = false
  let file = openLogFile(folder, limits)

  /** The oldest lines that wait, as many as this file takes, after beginning a new one where it takes none. */
  function takeGroup(): Buffer {
    const first = Buffer.byteLength(waiting[0] ?? '')
    const isFull = file.bytes > 0 && file.bytes + first > limits.fileBytes
    // A file without a name was deleted by another process that had to make room.
    if (isFull || fstatSync(file.descriptor).nlink === 0) startNewFile()
    const text = waiting.splice(0, countFitting()).join('')
    const bytes = Buffer.from(text)
    waitingCharacters -= text.length
    file.bytes += bytes.length
    return bytes
  }

  /** How many of the lines that wait the file takes: one at least. */
  function countFitting(): number {
    const room = limits.fileBytes - file.bytes
    // A character takes three bytes at most, so that most groups need not be measured.
    if (waitingCharacters * 3 <= room) return waiting.length
    let bytes = 0
    let count = 0
    for (; count < waiting.length; count++) {
      bytes += Buffer.byteLength(waiting[count] ?? '')
      if (bytes > room) break
    }
    return Math.max(1, count)
  }

  function startNewFile(): void {
    const next = openLogFile(folder, limits)
    closeSync(file.descriptor)
    file = next
  }

  function writeGroup(): void {
    timer = undefined
    try {
      rest ??= takeGroup()
    } catch {
      // A full disk or a lost folder must not stop the service; the log goes on when it can.
      schedule()
      return
    }
    asking = writePart(rest)
  }

  /** A disk that is full takes a part, or nothing. */
  function writePart(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      write(file.descriptor, bytes, (error, written) => {
        const left = error ? bytes : bytes.subarray(written)
        rest = left.length > 0 ? left : undefined
        asking = undefined
        if (rest !== undefined || waiting.length > 0) schedule()
        resolve()
      })
    })
  }

  function schedule(): void {
    if (asking === undefined && !closed) timer ??= setTimeout(writeGroup, groupMs)
  }

  return {
    write(entry) {
      if (closed || waitingCharacters > waitingCharactersAtMost) return
      const line = `${JSON.stringify(entry)}\n`
      waitingCharacters += line.length
      waiting.push(line)
      schedule()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await asking
      try {
        if (rest !== undefined) writeFileSync(file.descriptor, rest)
        while (waiting.length > 0) {
          // Before the descriptor is asked for: it may begin a new file.
          const bytes = takeGroup()
          writeFileSync(file.descriptor, bytes)
        }
      } catch (cause) {
        throw new SvcError('unavailable', `The last lines of the log could not be written to ${folder}.`, { cause })
      } finally {
        closeSync(file.descriptor)
      }
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

/**
 * Leaves room for one more file of full size. Of too many files the smallest of the older half go: what many short commands
 * wrote costs no server its log.
 */
function deleteOldest(folder: string, limits: LogLimits): void {
  let bytes = limits.fileBytes
  const kept: { readonly file: string; readonly bytes: number }[] = []
  for (const file of listLogFiles(folder).reverse()) {
    const fileBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    bytes += fileBytes
    if (bytes > limits.totalBytes) rmSync(file, { force: true })
    else kept.push({ file, bytes: fileBytes })
  }
  const older = kept.slice(limits.files >> 1).reverse()
  const smallest = older.sort((one, other) => one.bytes - other.bytes)
  for (const { file } of smallest.slice(0, Math.max(0, kept.length + 1 - limits.files))) rmSync(file, { force: true })
}
