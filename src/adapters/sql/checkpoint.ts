/**
 * Worker thread: copies the write-ahead log into the database file whenever it is told to. This is the one slow write
 * (it waits for the disk), and on the main thread it is what the slowest requests wait for.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { Database } from './driver.js'

const database = new Database(workerData.file, { fileMustExist: true })
database.pragma('synchronous = NORMAL')
parentPort?.on('message', (message) => {
  if (message === 'close') {
    database.close()
    parentPort?.close()
    return
  }
  try {
    database.pragma('wal_checkpoint(PASSIVE)')
  } catch {
    // A full disk, mostly: the rows stay in the log, the next checkpoint takes them too, and a commit that finds no room
    // for its own says so.
  }
  parentPort?.postMessage('done')
})
