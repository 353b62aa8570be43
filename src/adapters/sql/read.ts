/**
 * Worker thread: runs the queries that it is started with, on a connection of its own and on one state of the database,
 * and ends. What looks at every row would hold up all calls on the main thread.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { Database } from './driver.js'
import { describeFault } from './fault.js'
import type { ReadAnswer, ReadQuery } from './reader.js'

const { file, queries } = workerData as { file: string; queries: readonly ReadQuery[] }

function read(): ReadAnswer {
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true })
    try {
      const runAll = database.transaction(() =>
        queries.map(({ sql, parameters }) => database.prepare(sql).all(...parameters)),
      )
      return { results: runAll() }
    } finally {
      database.close()
    }
  } catch (error) {
    return describeFault(error)
  }
}

parentPort?.postMessage(read())
