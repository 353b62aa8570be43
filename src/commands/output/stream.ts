import { closeSync, fstatSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { SvcError } from '../../errors.js'
import { reasonOf } from '../input/reason.js'

/** Where a document goes, piece by piece. */
export interface Output {
  readonly write: (text: string) => void
  /**
   * Hands on what was written, once there is enough of it or at once (`all`); waits while the reader is slower.
   * False: nobody reads any more, stop.
   */
  readonly flush: (all?: 'all') => Promise<boolean>
  /** Hands on the rest and closes. */
  readonly close: () => Promise<void>
}

/**
 * Standard output. Once it takes no more, the rest is dropped; whether that is a fault, `watchOutput` says.
 * Without a stream it is written to as a file, and becomes a stream only where that is refused: to load what streams are
 * made of takes as long as all of a short command.
 */
export function openStdout(stream?: NodeJS.WriteStream): Output {
  let pending = ''
  let open = true
  const onError = () => {
    open = false
  }
  let used = stream?.on('error', onError)
  const flush = async () => {
    let rest: string | Buffer = pending
    pending = ''
    if (!open || rest === '') return open
    if (used === undefined) rest = writeDirectly(rest)
    if (rest.length === 0) return open
    used ??= process.stdout.on('error', onError)
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
      // The last write may still fail: whoever closes again (a watcher) has a listener of its own by then.
      if (open) used?.off('error', onError)
    },
  }
}

const stdoutDescriptor = 1

/** Writes a text to standard output and answers what is left of it: all that comes after a failure. */
function writeDirectly(text: string): Buffer {
  let rest = Buffer.from(text)
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(stdoutDescriptor, rest))
  } catch {
    // The stream meets the same failure, or waits where it can: whatever is to be said of it is said there.
  }
  return rest
}

/** Whether standard output may be a terminal; only then is it worth to ask its stream. */
export function mayBeTerminal(): boolean {
  try {
    return fstatSync(stdoutDescriptor).isCharacterDevice()
  } catch {
    // Closed.
    return false
  }
}

/**
 * Watches standard output for as long as the program runs, once its stream is made. A reader that goes away (`| head`) is no
 * fault; of another, such as a full disk, `onFault` is told in words.
 */
export function watchOutput(onFault: (message: string) => void): void {
  const made = Object.getOwnPropertyDescriptor(process, 'stdout') ?? {}
  Object.defineProperty(process, 'stdout', {
    configurable: true,
    enumerable: true,
    get: () => {
      Object.defineProperty(process, 'stdout', made)
      return process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') onFault(`Standard output cannot be written: ${reasonOf(error)}.`)
      })
    },
  })
}

/** A file: written beside its name and moved there when it is whole, so that nobody reads half of it. */
export function openFile(path: string): Output {
  const partial = `${path}.${process.pid}.partial`
  const file = attempt(path, () => openSync(partial, 'w'))
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
    // All of it, or an error: a disk that is almost full takes a part without one.
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
      // What was discarded is told already.
      if (!isOpen) return
      flush()
      close()
      attempt(path, () => renameSync(partial, path), discard)
    },
  }
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
