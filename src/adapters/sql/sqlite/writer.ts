import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../runtime/entry.js'
import { findFileNumber } from './file-number.js'
import { type ThreadError, toError, type Write } from './write-all.js'

/**
 * Writing fewer rows takes less time than handing them to a thread. Of 260 rows each takes 0.9 us of the main thread in place of
 * 6.4, if the thread has a core of its own.
 */
export const rowsForThread = 50

/** To the thread. It opens a file, which must have this number, with the first request for it. */
export interface WriterRequest {
  readonly file: string
  readonly fileNumber: bigint | undefined
  readonly work: 'checkpoint' | 'close' | readonly Write[]
}
/** From the thread: `ready` first, then one reply per request, in order. */
export type WriterReply = 'ready' | 'done' | RefusedRequest

interface RefusedRequest extends ThreadError {
  /** True if the file could not be opened. */
  readonly isUnopened: boolean
}

export type Writer = ReturnType<typeof createWriter>

interface Pending {
  resolve(): void
  reject(error: Error): void
}

/**
 * Runs writes to a file in the thread. The caller must do without it where a method returns undefined. The thread refuses a
 * file that has replaced the present one.
 */
export function createWriter(file: string, thread: WriterThread) {
  const fileNumber = findFileNumber(file)
  let isBroken = false

  function send(work: WriterRequest['work']): Promise<void> | undefined {
    if (isBroken) return undefined
    return thread.send({ file, fileNumber, work })?.catch((error) => {
      isBroken ||= 'isUnopened' in error && error.isUnopened === true
      throw error
    })
  }

  return {
    /**
     * Runs the writes in the thread, in one transaction. Rejects with SQLite's error, or if the thread ends meanwhile: then it
     * is unknown whether they were committed. Returns undefined while the thread is not ready, and starts it for later calls;
     * also during a checkpoint, which may hang with the disk.
     */
    write(writes: readonly Write[]): Promise<void> | undefined {
      if (thread.isReady) return thread.isCheckpointing ? undefined : send(writes)
      thread.start()
      return undefined
    },
    /** Copies the write-ahead log into the database file. Returns undefined if the thread cannot run. */
    checkpoint: () => send('checkpoint'),
    /** Closes the thread's connection to the file. */
    async close(): Promise<void> {
      if (thread.isReady) await send('close')
    },
  }
}

export type WriterThread = ReturnType<typeof createWriterThread>

/** Creates the thread that writes the files of a store, each on a connection of its own. It starts on first use. */
export function createWriterThread(start: () => Worker = startThread) {
  const pending: Pending[] = []
  let worker: Worker | undefined
  let isReady = false
  let isBroken = false
  let checkpoints = 0

  function receive(answer: WriterReply): void {
    if (answer === 'ready') isReady = true
    else if (answer === 'done') pending.shift()?.resolve()
    else pending.shift()?.reject(Object.assign(toError(answer), { isUnopened: answer.isUnopened }))
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
      worker ??= start()
        .on('message', receive)
        .on('error', breakOff)
        .on('exit', () => breakOff())
    } catch (error) {
      breakOff(error)
    }
    return worker
  }

  return {
    /** Returns undefined if no thread can be started, or if it has ended. */
    send(request: WriterRequest): Promise<void> | undefined {
      const thread = ensureWorker()
      if (thread === undefined) return undefined
      const answer = new Promise<void>((resolve, reject) => {
        thread.postMessage(request)
        pending.push({ resolve, reject })
      })
      if (request.work !== 'checkpoint') return answer
      checkpoints++
      return answer.finally(() => checkpoints--)
    },
    /** Starts the thread, unless it runs. */
    start: ensureWorker,
    get isReady() {
      return isReady
    },
    get isCheckpointing() {
      return checkpoints > 0
    },
    async close(): Promise<void> {
      const ending = worker
      if (ending === undefined) return
      await new Promise<void>((resolve) => {
        ending.once('exit', () => resolve())
        ending.postMessage('end')
      })
    },
  }
}

const startThread = (): Worker => startWorker('adapters/sql/sqlite/writer-thread')
