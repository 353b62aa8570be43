import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../runtime/entry.js'
import { findFileNumber } from './file-number.js'
import type { Write } from './write-all.js'
import { type ThreadError, toError } from './write-all.js'

/**
 * Writing fewer rows takes less time than handing them to a thread. Of 260 rows each takes 0.9 us of the main thread in place of
 * 6.4, if the thread has a core of its own.
 */
export const rowsForThread = 50

/** The thread's `workerData`. */
export interface WriterStart {
  readonly file: string
  readonly fileNumber: bigint | undefined
}

/** To the thread. */
export type WriterRequest = 'checkpoint' | readonly Write[]
/** From the thread: `ready` first, then one reply per request, in order. */
export type WriterReply = 'ready' | 'done' | ThreadError

export interface Writer {
  /**
   * Runs the writes in the thread, in one transaction. Rejects with SQLite's error, or if the thread ends meanwhile: then it
   * is unknown whether they were committed. Returns undefined while the thread is not ready, and starts it for later calls;
   * also during a checkpoint, which may hang with the disk.
   */
  write(writes: readonly Write[]): Promise<void> | undefined
  /** Copies the write-ahead log into the database file. Returns undefined if the thread cannot run. */
  checkpoint(): Promise<void> | undefined
  close(): Promise<void>
}

interface Pending {
  resolve(): void
  reject(error: Error): void
}

/**
 * Runs writes in a thread that starts on first use. The caller must do without it where a method returns undefined. The
 * thread refuses a file that has replaced the present one.
 */
export function createWriter(file: string, start: (workerData: WriterStart) => Worker = startThread): Writer {
  const fileNumber = findFileNumber(file)
  const pending: Pending[] = []
  let worker: Worker | undefined
  let isReady = false
  let isBroken = false
  let isCheckpointing = false

  function receive(answer: WriterReply): void {
    if (answer === 'ready') isReady = true
    else if (answer === 'done') pending.shift()?.resolve()
    else pending.shift()?.reject(toError(answer))
  }

  function breakOff(cause?: unknown): void {
    isBroken = true
    isReady = false
    worker = undefined
    const error = new Error('The thread that writes the database ended.', { cause })
    for (const { reject } of pending.splice(0)) reject(error)
  }

  /** Returns undefined if no thread can be started, for example if the system has no more threads. */
  function ensureWorker(): Worker | undefined {
    if (isBroken) return undefined
    try {
      worker ??= start({ file, fileNumber })
        .on('message', receive)
        .on('error', breakOff)
        .on('exit', () => breakOff())
    } catch (error) {
      breakOff(error)
    }
    return worker
  }

  function send(request: WriterRequest): Promise<void> | undefined {
    const thread = ensureWorker()
    if (thread === undefined) return undefined
    return new Promise((resolve, reject) => {
      thread.postMessage(request)
      pending.push({ resolve, reject })
    })
  }

  return {
    write(writes) {
      if (isReady) return isCheckpointing ? undefined : send(writes)
      ensureWorker()
      return undefined
    },
    checkpoint() {
      const checkpoint = send('checkpoint')
      isCheckpointing = checkpoint !== undefined
      return checkpoint?.finally(() => {
        isCheckpointing = false
      })
    },
    async close() {
      const ending = worker
      if (ending === undefined) return
      await new Promise<void>((resolve) => {
        ending.once('exit', () => resolve())
        ending.postMessage('close')
      })
    },
  }
}

function startThread(workerData: WriterStart): Worker {
  return startWorker('adapters/sql/sqlite/writer-thread', { workerData })
}
