import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../entry.js'
import { type Fault, toError } from './fault.js'
import { findFileNumber } from './file-number.js'
import type { Write } from './write-all.js'

/** What the thread starts with. */
export interface WriterStart {
  readonly file: string
  readonly fileNumber: bigint | undefined
}

/** To the thread. */
export type WriterWork = 'checkpoint' | readonly Write[]
/** From the thread: one for each work, in order; before the first that it is ready. */
export type WriterAnswer = 'ready' | 'done' | Fault

export interface Writer {
  /**
   * Runs the writes in the thread: all or none. Rejects with SQLite's error, and where the thread ends meanwhile: then
   * nobody knows whether they were made. Undefined where it does not run; it is started then, for those that come later.
   */
  write(writes: readonly Write[]): Promise<void> | undefined
  /** Copies the write-ahead log into the database file. Undefined where that cannot be had. */
  checkpoint(): Promise<void> | undefined
  close(): Promise<void>
}

interface Pending {
  resolve(): void
  reject(error: Error): void
}

/**
 * A thread that starts with the first work there is for it. What it cannot do has to be done without it. It takes no other
 * file than the one that lies there now.
 */
export function createWriter(file: string, start: (workerData: WriterStart) => Worker = startThread): Writer {
  const fileNumber = findFileNumber(file)
  const pending: Pending[] = []
  let worker: Worker | undefined
  let isReady = false
  let isBroken = false

  function receive(answer: WriterAnswer): void {
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

  /** Undefined where no thread is to be had, as where the system has no more of them. */
  function run(): Worker | undefined {
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

  function ask(work: WriterWork): Promise<void> | undefined {
    const asked = run()
    if (asked === undefined) return undefined
    return new Promise((resolve, reject) => {
      asked.postMessage(work)
      pending.push({ resolve, reject })
    })
  }

  return {
    write(writes) {
      if (isReady) return ask(writes)
      run()
      return undefined
    },
    checkpoint: () => ask('checkpoint'),
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
  return startWorker('adapters/sql/write', { workerData })
}
