/**
 * Worker thread: what writes much, on a connection of its own. On the main thread the slowest requests would wait for a
 * checkpoint, which copies the write-ahead log into the database file and waits for the disk, and all for rows by the
 * hundred.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { Database } from './driver.js'
import { describeFault } from './fault.js'
import { requireSameFile } from './file-number.js'
import { setUpForWriting, stopWaiting } from './sqlite.js'
import { createWriteAll } from './write-all.js'
import type { WriterAnswer, WriterStart, WriterWork } from './writer.js'

const { file, fileNumber } = workerData as WriterStart
const database = new Database(file, { fileMustExist: true })
// From the first reading on it keeps off those who would replace the file.
database.pragma('schema_version')
requireSameFile(file, fileNumber)
setUpForWriting(database)
// Who asks tries again, and lets the others have their turn meanwhile.
stopWaiting(database)
const writeAll = createWriteAll(database)

function work(asked: WriterWork): WriterAnswer {
  try {
    if (asked === 'checkpoint') database.pragma('wal_checkpoint(PASSIVE)')
    else writeAll(asked)
    return 'done'
  } catch (error) {
    return describeFault(error)
  }
}

parentPort?.on('message', (asked: WriterWork | 'close') => {
  if (asked === 'close') {
    database.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(work(asked))
})
parentPort?.postMessage('ready')
