import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../runtime/entry.js'
import type { Reader, ReadQuery } from '../database.js'
import { type ThreadError, toError } from './write-all.js'

/** From the thread: the rows of each query, or the error. */
export type ReaderReply = { readonly results: readonly (readonly unknown[])[] } | ThreadError

/** Runs slow queries in a thread. The thread ends after each call, because reports are rare. */
export function createReader(file: string): Reader {
  let last: Promise<unknown> = Promise.resolve()
  let worker: Worker | undefined
  let closed = false

  async function readNext(queries: readonly ReadQuery[]) {
    if (closed) throw new Error('The database is closed.')
    const plain = queries.map(({ sql, parameters }) => ({ sql, parameters }))
    worker = startWorker('adapters/sql/sqlite/reader-thread', { workerData: { file, queries: plain } })
    try {
      return await receive(worker)
    } finally {
      await worker.terminate()
      worker = undefined
    }
  }

  return {
    read(queries) {
      const reading = last.then(() => readNext(queries))
      last = reading.catch(() => {})
      return reading
    },
    async close() {
      closed = true
      await worker?.terminate()
      await last
    },
  }
}

function receive(worker: Worker): Promise<readonly (readonly unknown[])[]> {
  return new Promise((resolve, reject) => {
    worker
      .once('message', (answer: ReaderReply) => {
        if ('results' in answer) resolve(answer.results)
        else reject(toError(answer))
      })
      .once('error', reject)
      .once('exit', () => reject(new Error('The thread that reads the database ended.')))
  })
}
