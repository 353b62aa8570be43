import {
  closeSync,
  fdatasync,
  fstatSync,
  fsync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  write,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SvcError } from '../errors.js'
import type { RequestLog } from './request-log.js'

export interface LogLimits {
  /** The maximum size of a file, unless a single line is larger. */
  readonly fileBytes: number
  /** The oldest files are deleted while the total size exceeds this. */
  readonly totalBytes: number
  /** The maximum number of files. Beyond it the smallest of the older half are deleted. */
  readonly files: number
}

const defaultLimits: LogLimits = { fileBytes: 8 << 20, totalBytes: 64 << 20, files: 200 }
/** A power loss loses the lines of this time, and of one write and sync. */
const groupMs = 50
/** Beyond this lines are dropped: a slow disk must not exhaust the memory. */
const waitingCharactersAtMost = 16 << 20

/**
 * Opens a log of JSON lines in `folder`. Every process writes its own files, named by their start time, so no file is renamed
 * while others read or write it. Lines are written asynchronously in groups.
 */
export function openFolderLog(folder: string, limits: LogLimits = defaultLimits): RequestLog {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const waiting: string[] = []
  let waitingCharacters = 0
  let timer: NodeJS.Timeout | undefined
  /** The unwritten rest of the current group, which is retried until it is written. */
  let rest: Buffer | undefined
  /** Pending while a write runs. */
  let writing: Promise<void> | undefined
  let closed = false
  let file = openLogFile(folder, limits)

  /** Removes and returns the oldest waiting lines that fit into the file. Starts a new file if no line fits. */
  function takeGroup(): Buffer {
    const first = Buffer.byteLength(waiting[0] ?? '')
    const isFull = file.bytes > 0 && file.bytes + first > limits.fileBytes
    // `nlink` is 0 if another process deleted the file to free space.
    if (isFull || fstatSync(file.descriptor).nlink === 0) startNewFile()
    const text = waiting.splice(0, countFitting()).join('')
    const bytes = Buffer.from(text)
    waitingCharacters -= text.length
    file.bytes += bytes.length
    return bytes
  }

  /** Returns how many of the waiting lines fit into the file: at least one. */
  function countFitting(): number {
    const room = limits.fileBytes - file.bytes
    // A UTF-16 code unit takes at most three bytes, so most groups need not be measured.
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
    clearTimeout(timer)
    timer = undefined
    try {
      rest ??= takeGroup()
    } catch {
      // A full disk or a missing folder must not stop the service. The log retries.
      schedule()
      return
    }
    writing = writePart(rest)
  }

  async function writePart(bytes: Buffer): Promise<void> {
    const startedAt = performance.now()
    // A full disk writes only a part, or nothing.
    const written = await writeTo(file.descriptor, bytes).then(
      ({ bytesWritten }) => bytesWritten,
      () => 0,
    )
    rest = written < bytes.length ? bytes.subarray(written) : undefined
    await sync(file)
    writing = undefined
    // The oldest line has waited since this group began.
    if (rest !== undefined || waiting.length > 0) schedule(groupMs - (performance.now() - startedAt))
  }

  function schedule(delayMs = groupMs): void {
    if (writing === undefined && !closed) timer ??= setTimeout(writeGroup, delayMs)
  }

  return {
    write(entry) {
      if (closed || waitingCharacters > waitingCharactersAtMost) return
      const line = `${JSON.stringify(entry)}\n`
      waitingCharacters += line.length
      waiting.push(line)
      schedule()
    },
    async flush() {
      await writing
      if (!closed && writing === undefined && (rest !== undefined || waiting.length > 0)) writeGroup()
      await writing
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await writing
      try {
        if (rest !== undefined) writeFileSync(file.descriptor, rest)
        while (waiting.length > 0) {
          // First, because it may start a new file with another descriptor.
          const bytes = takeGroup()
          writeFileSync(file.descriptor, bytes)
        }
        await sync(file)
      } catch (cause) {
        throw new SvcError('unavailable', `The last lines of the log could not be written to ${folder}.`, { cause })
      } finally {
        closeSync(file.descriptor)
      }
    },
  }
}

/** Lists the log files of a folder, oldest first. Returns an empty list if the folder does not exist. */
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

const writeTo = promisify(write)
const syncData = promisify(fdatasync)
const syncAll = promisify(fsync)

interface OpenLogFile {
  readonly folder: string
  readonly descriptor: number
  bytes: number
  /** True if the folder was synced after the file got its name. */
  isNamed: boolean
}

/** A disk that cannot sync must not stop the service: a power loss may then lose more lines. */
async function sync(file: OpenLogFile): Promise<void> {
  await syncData(file.descriptor).catch(() => {})
  if (file.isNamed) return
  file.isNamed = true
  try {
    const descriptor = openSync(file.folder, 'r')
    await syncAll(descriptor).finally(() => closeSync(descriptor))
  } catch {}
}

function openLogFile(folder: string, limits: LogLimits): OpenLogFile {
  deleteOldestFiles(folder, limits)
  const newest = listLogFiles(folder).at(-1) ?? ''
  for (let time = Date.now(); ; time++) {
    const name = `${new Date(time).toISOString().replaceAll(/[-:.]/g, '')}-${process.pid}.jsonl`
    // Names must ascend even within a millisecond, because the lowest is deleted first.
    if (join(folder, name) <= newest) continue
    try {
      return { folder, descriptor: openSync(join(folder, name), 'ax', 0o600), bytes: 0, isNamed: false }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/**
 * Frees space for one more file of full size. If there are too many files, deletes the smallest of the older half, so that
 * many short commands do not delete the log of a server.
 */
function deleteOldestFiles(folder: string, limits: LogLimits): void {
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
