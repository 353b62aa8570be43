import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../runtime/entry.js'
import { findFileNumber } from './file-number.js'
import { type ThreadError, toError } from './thread-error.js'

/** The thread's `workerData`. */
export interface CheckpointStart {
  readonly file: string
  readonly fileNumber: bigint | undefined
}

/** To the thread. */
export type CheckpointRequest = 'checkpoint' | 'close'
/** From the thread: one reply per checkpoint, in order. */
export type CheckpointReply = 'done' | ThreadError

export interface CheckpointRunner {
  /**
   * Copies the write-ahead log into the database file. Rejects with SQLite's error, or if the thread ends meanwhile. Returns
   * undefined if the thread cannot run.
   */
  checkpoint(): Promise<void> | undefined
  close(): Promise<void>
}

interface Pending {
  resolve(): void
  reject(error: Error): void
}

/** Runs checkpoints in a thread that starts with the first one, and refuses a file that has replaced the present one. */
export function createCheckpointRunner(
  file: string,
  start: (workerData: CheckpointStart) => Worker = startThread,
): CheckpointRunner {
  const fileNumber = findFileNumber(file)
  const pending: Pending[] = []
  let worker: Worker | undefined
  let isBroken = false

  function receive(reply: CheckpointReply): void {
    if (reply === 'done') pending.shift()?.resolve()
    else pending.shift()?.reject(toError(reply))
  }

  function breakOff(cause?: unknown): void {
    isBroken = true
    worker = undefined
    const error = new Error('The thread that runs checkpoints ended.', { cause })
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

  return {
    checkpoint() {
      const thread = ensureWorker()
      if (thread === undefined) return undefined
      return new Promise((resolve, reject) => {
        pending.push({ resolve, reject })
        thread.postMessage('checkpoint' satisfies CheckpointRequest)
      })
    },
    async close() {
      const ending = worker
      if (ending === undefined) return
      await new Promise<void>((resolve) => {
        ending.once('exit', () => resolve())
        ending.postMessage('close' satisfies CheckpointRequest)
      })
    },
  }
}

function startThread(workerData: CheckpointStart): Worker {
  return startWorker('adapters/sql/sqlite/checkpoint-thread', { workerData })
}
