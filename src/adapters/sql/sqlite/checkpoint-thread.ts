/**
 * Worker thread: runs checkpoints on its own connection. On the main thread the slowest requests would wait for a checkpoint,
 * which copies the write-ahead log into the database file and waits for the disk.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckpointReply, CheckpointRequest, CheckpointStart } from './checkpoint-runner.js'
import { setUpForWriting, stopWaiting } from './dialect.js'
import { Database } from './driver.js'
import { requireSameFile } from './file-number.js'
import { toThreadError } from './thread-error.js'

const { file, fileNumber } = workerData as CheckpointStart
const database = new Database(file, { fileMustExist: true })
// After the first read, the connection's lock prevents others from replacing the file.
database.pragma('schema_version')
requireSameFile(file, fileNumber)
setUpForWriting(database)
stopWaiting(database)

function checkpoint(): CheckpointReply {
  try {
    database.pragma('wal_checkpoint(PASSIVE)')
    return 'done'
  } catch (error) {
    return toThreadError(error)
  }
}

parentPort?.on('message', (request: CheckpointRequest) => {
  if (request === 'checkpoint') {
    parentPort?.postMessage(checkpoint())
    return
  }
  database.close()
  parentPort?.close()
})
