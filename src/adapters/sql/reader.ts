import type { Worker } from 'node:worker_threads'
import type { CompiledQuery } from 'kysely'
import { startWorker } from '../../entry.js'
import { type Fault, toError } from './fault.js'

export type ReadQuery = Pick<CompiledQuery, 'sql' | 'parameters'>

/** From the thread: the rows of each query, or what went wrong. */
export type ReadAnswer = { readonly results: readonly (readonly unknown[])[] } | Fault

export interface Reader {
  /** The rows of each query, all of one state of the database. One call at a time; others wait in order. */
  read(queries: readonly ReadQuery[]): Promise<readonly (readonly unknown[])[]>
  /** Breaks off what is being read. */
  close(): Promise<void>
}

/** Runs queries that take long in a thread, which ends with them: reports are seldom asked for. */
export function createReader(file: string): Reader {
  let last: Promise<unknown> = Promise.resolve()
  let worker: Worker | undefined
  let closed = false

  async function readNext(queries: readonly ReadQuery[]) {
    if (closed) throw new Error('The database is closed.')
    const plain = queries.map(({ sql, parameters }) => ({ sql, parameters }))
    worker = startWorker('adapters/sql/read', { workerData: { file, queries: plain } })
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
      .once('message', (answer: ReadAnswer) => {
        if ('results' in answer) resolve(answer.results)
        else reject(toError(answer))
      })
      .once('error', reject)
      .once('exit', () => reject(new Error('The thread that reads the database ended.')))
  })
}
