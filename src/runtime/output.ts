import { appendFileSync, closeSync, fstatSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { SvcError } from '../errors.js'
import { reasonOf } from './reason.js'

/** A destination of a document that is written piece by piece. */
export interface Output {
  readonly write: (text: string) => void
  /**
   * Flushes the buffer once it is large enough, or at once (`all`); waits for a slow reader.
   * Resolves with false if the reader is gone: stop writing.
   */
  readonly flush: (all?: 'all') => Promise<boolean>
  /** Flushes the rest and closes. */
  readonly close: () => Promise<void>
}

/**
 * Opens standard output. After a failed write the rest is discarded; `watchOutput` decides whether that is an error.
 * Without `stream`, it writes to the file descriptor and creates a stream only if a write fails: to load the stream modules
 * takes as long as a whole short command.
 */
export function openStdout(stream?: NodeJS.WriteStream): Output {
  let pending = ''
  let open = true
  const onFailure = () => {
    open = false
  }
  let used = stream?.on('error', onFailure)
  const flush = async () => {
    let rest: string | Buffer = pending
    pending = ''
    if (!open || rest === '') return open
    if (used === undefined) rest = writeDirectly(rest)
    if (rest.length === 0) return open
    used ??= process.stdout.on('error', onFailure)
    await new Promise<unknown>((resolve) => used?.write(rest, resolve))
    return open
  }
  return {
    write: (text) => {
      pending += text
    },
    flush: (all) => (all === undefined && pending.length < flushLength ? Promise.resolve(open) : flush()),
    close: async () => {
      await flush()
      // The last write may still fail. A watcher that closes again has a listener of its own by then.
      if (open) used?.off('error', onFailure)
    },
  }
}

const stdoutDescriptor = 1

/** Writes a text to standard output and returns the rest after a failure. */
function writeDirectly(text: string): Buffer {
  let rest = Buffer.from(text)
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(stdoutDescriptor, rest))
  } catch {
    // The stream meets the same failure, or waits: it reports the error.
  }
  return rest
}

/** True if standard output may be a terminal; only then is it worth creating its stream. */
export function mayBeTerminal(): boolean {
  try {
    return fstatSync(stdoutDescriptor).isCharacterDevice()
  } catch {
    // It is closed.
    return false
  }
}

/**
 * Watches standard output from the creation of its stream until the program ends. A reader that goes away (`| head`) is not
 * an error; for others, such as a full disk, it calls `onError` with a sentence.
 */
export function watchOutput(onError: (message: string) => void): void {
  const made = Object.getOwnPropertyDescriptor(process, 'stdout') ?? {}
  Object.defineProperty(process, 'stdout', {
    configurable: true,
    enumerable: true,
    get: () => {
      Object.defineProperty(process, 'stdout', made)
      return process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') onError(`Standard output cannot be written: ${reasonOf(error)}.`)
      })
    },
  })
}

/** A file that is complete or not there. */
export interface FileOutput extends Output {
  /** Closes without a file; the one that was there stays. */
  readonly discard: () => void
}

/** Opens a file: writes to a partial file and renames it when it is complete, so that no reader sees half of it. */
export function openFile(path: string, mode?: number): FileOutput {
  const partial = `${path}.${process.pid}.partial`
  const file = attempt(path, () => openSync(partial, 'w', mode))
  let pending = ''
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  const discard = () => {
    close()
    rmSync(partial, { force: true })
  }
  const flush = () => {
    if (!isOpen) return
    // `writeFileSync` writes all or throws: a disk that is almost full accepts a part without an error.
    attempt(path, () => writeFileSync(file, pending), discard)
    pending = ''
  }
  return {
    write: (text) => {
      pending += text
    },
    flush: async (all) => {
      if (all !== undefined || pending.length >= flushLength) flush()
      return isOpen
    },
    close: async () => {
      // The failed write that discarded it has thrown.
      if (!isOpen) return
      flush()
      close()
      attempt(path, () => renameSync(partial, path), discard)
    },
    discard,
  }
}

/** Writes a whole file. Throws `invalid_request` if it cannot be written; the one that was there stays. */
export async function writeWhole(path: string, text: string, mode?: number): Promise<void> {
  const file = openFile(path, mode)
  file.write(text)
  await file.close()
}

/** Appends a text to a file. Throws `invalid_request` if it cannot be written. */
export function appendToFile(path: string, text: string): void {
  attempt(path, () => appendFileSync(path, text))
}

const flushLength = 1 << 16

function attempt<Value>(path: string, action: () => Value, undo?: () => void): Value {
  try {
    return action()
  } catch (cause) {
    undo?.()
    throw new SvcError('invalid_request', `${path} cannot be written: ${reasonOf(cause)}.`, { cause })
  }
}
