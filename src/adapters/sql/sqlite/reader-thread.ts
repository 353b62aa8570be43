/**
 * Worker thread: runs the queries that it is started with, on its own connection and one snapshot of the database, and ends.
 * A query that scans a table would block all calls on the main thread.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { ReadQuery } from '../database.js'
import { Database } from './driver.js'
import type { ReaderReply } from './reader.js'
import { toThreadError } from './write-all.js'

const { file, queries } = workerData as { file: string; queries: readonly ReadQuery[] }

function read(): ReaderReply {
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
    return toThreadError(error)
  }
}

parentPort?.postMessage(read())
