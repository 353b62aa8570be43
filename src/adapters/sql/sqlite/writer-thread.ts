/**
 * Worker thread: runs checkpoints and large writes on its own connection. On the main thread the slowest requests would wait
 * for a checkpoint, which copies the write-ahead log into the database file and waits for the disk, and all requests for
 * writes of hundreds of rows.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { setUpForWriting, stopWaiting } from './dialect.js'
import { Database } from './driver.js'
import { requireSameFile } from './file-number.js'
import { createWriteAll, toThreadError } from './write-all.js'
import type { WriterReply, WriterRequest, WriterStart } from './writer.js'

const { file, fileNumber } = workerData as WriterStart
const database = new Database(file, { fileMustExist: true })
// After the first read, the connection's lock prevents others from replacing the file.
database.pragma('schema_version')
requireSameFile(file, fileNumber)
setUpForWriting(database)
// The caller retries, and lets other queries run meanwhile.
stopWaiting(database)
const writeAll = createWriteAll(database)

function handle(request: WriterRequest): WriterReply {
  try {
    if (request === 'checkpoint') database.pragma('wal_checkpoint(PASSIVE)')
    else writeAll(request)
    return 'done'
  } catch (error) {
    return toThreadError(error)
  }
}

parentPort?.on('message', (request: WriterRequest | 'close') => {
  if (request === 'close') {
    database.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(handle(request))
})
parentPort?.postMessage('ready')
