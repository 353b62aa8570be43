/**
 * Worker thread: runs checkpoints and large writes, on its own connection to each file. On the main thread the slowest requests would wait
 * for a checkpoint, which copies the write-ahead log into the database file and waits for the disk, and all requests for
 * writes of hundreds of rows.
 */
import { parentPort } from 'node:worker_threads'
import { setUpForWriting, stopWaiting } from './dialect.js'
import type { Connection } from './driver.js'
import { openSameFile } from './file-number.js'
import { createWriteAll, toThreadError } from './write-all.js'
import type { WriterReply, WriterRequest } from './writer.js'

interface OpenFile {
  readonly database: Connection
  readonly writeAll: ReturnType<typeof createWriteAll>
}

const openFiles = new Map<string, OpenFile>()

function openFile({ file, fileNumber }: WriterRequest): OpenFile {
  const database = openSameFile(file, { fileMustExist: true, number: fileNumber ?? 0n })
  setUpForWriting(database)
  // The caller retries, and lets other queries run meanwhile.
  stopWaiting(database)
  return { database, writeAll: createWriteAll(database) }
}

function handle(request: WriterRequest): WriterReply {
  const { fileNumber, work } = request
  const key = `${request.file} ${fileNumber}`
  let opened = openFiles.get(key)
  try {
    if (work === 'close') {
      opened?.database.close()
      openFiles.delete(key)
      return 'done'
    }
    opened ??= openFile(request)
    openFiles.set(key, opened)
    if (work === 'checkpoint') opened.database.pragma('wal_checkpoint(PASSIVE)')
    else opened.writeAll(work)
    return 'done'
  } catch (error) {
    return { ...toThreadError(error), isUnopened: opened === undefined }
  }
}

parentPort?.on('message', (request: WriterRequest | 'end') => {
  if (request !== 'end') return parentPort?.postMessage(handle(request))
  for (const { database } of openFiles.values()) database.close()
  parentPort?.close()
})
parentPort?.postMessage('ready')
