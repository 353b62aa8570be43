import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listLogFiles, openFolderLog } from '../../src/log/folder-log.js'
import type { RequestEntry } from '../../src/log/request-log.js'
import { readLog } from '../helpers/app.js'
import { runOnSmallDisk } from '../helpers/small-disk.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const log = suite('request log')
const entry = (request_id: string): RequestEntry => ({
  time: '2026-10-20T08:00:00.000Z',
  request_id,
  method: 'GET',
  path: '/health',
  status: 200,
  duration_ms: 1,
})

log('writes one JSON line per entry, in order, into a file that only its owner can read', async () => {
  const place = openTemporaryFolder()
  const requests = openFolderLog(place.folder)
  for (let count = 0; count < 100; count++) requests.write(entry(`r${count}`))
  await requests.close()
  assert.equal(
    readLog(place.folder).map(({ request_id }) => request_id),
    Array.from({ length: 100 }, (_, count) => `r${count}`),
  )
  const [file] = listLogFiles(place.folder)
  assert.is(statSync(file ?? '').mode & 0o777, 0o600)
  place.close()
})

log('starts a new file at the limit, and deletes the oldest beyond the total', async () => {
  const place = openTemporaryFolder()
  const limits = { fileBytes: 1000, totalBytes: 5000, files: 100 }
  for (let count = 0; count < 20; count++) {
    const requests = openFolderLog(place.folder, limits)
    for (let line = 0; line < 8; line++) requests.write(entry(`${count}-${line}`))
    await requests.close()
  }
  const bytes = listLogFiles(place.folder).reduce((sum, file) => sum + statSync(file).size, 0)
  assert.ok(bytes <= limits.totalBytes, `${bytes} bytes are kept`)
  assert.is(readLog(place.folder).at(-1)?.request_id, '19-7')
  place.close()
})

log('splits a group of large lines at the limit of a file, when it writes and when it closes', async () => {
  const place = openTemporaryFolder()
  const limits = { fileBytes: 1000, totalBytes: 100_000, files: 100 }
  const requests = openFolderLog(place.folder, limits)
  const ids = Array.from({ length: 30 }, (_, count) => `${count}-${'é'.repeat(100)}`)
  for (const id of ids.slice(0, 20)) requests.write(entry(id))
  while (readLog(place.folder).length < 20) await new Promise(setImmediate)
  for (const id of ids.slice(20)) requests.write(entry(id))
  await requests.close()
  assert.equal(
    readLog(place.folder).map(({ request_id }) => request_id),
    ids,
  )
  for (const file of listLogFiles(place.folder)) assert.ok(statSync(file).size <= 1000, `${statSync(file).size} bytes`)
  place.close()
})

log('rejects if its last lines are lost, and closes', async () => {
  const place = openTemporaryFolder()
  const requests = openFolderLog(place.folder, { fileBytes: 100, totalBytes: 9999, files: 4 })
  requests.write(entry('one'))
  requests.write(entry('two'))
  place.close()
  // A file in place of the folder prevents a new log file.
  writeFileSync(place.folder, '')
  const fault = await requests.close().catch((error: Error) => error)
  assert.match(fault?.message ?? 'none', /last lines of the log could not be written/)
  place.close()
})

const untilItTookAPart =
  'while (fs.statSync(logs.listLogFiles(folder)[0]).size < 65536) await new Promise(setImmediate)'
for (const [when, slowMs, wait] of [
  ['at the close', 0, ''],
  ['before the close', 0, `${untilItTookAPart}\nawait new Promise((resolve) => setTimeout(resolve, 300))`],
  // The write completes long after the call, so the close has to wait.
  ['and the write is still running', 500, untilItTookAPart],
] as const) {
  log(`rejects if the disk wrote only a part of a group ${when}`, () => {
    const place = openTemporaryFolder()
    const script = `
      import fs, { write } from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      import * as logs from '${new URL('../../src/log/folder-log.ts', import.meta.url)}'
      const writeAtOnce = write
      fs.write = (file, bytes, answer) =>
        writeAtOnce(file, bytes, (error, written) => setTimeout(answer, ${slowMs}, error, written))
      syncBuiltinESMExports()
      const folder = ${JSON.stringify(place.folder)}
      const requests = logs.openFolderLog(folder)
      for (let count = 0; count < 1000; count++) requests.write({ request_id: 'x'.repeat(100) })
      ${wait}
      try { await requests.close() } catch (error) { console.log(error.code, error.cause.code) }`
    assert.equal(runOnSmallDisk(script), { stdout: 'unavailable EFBIG\n', stderr: '' })
    place.close()
  })
}

log('keeps no more files than the limit', async () => {
  const place = openTemporaryFolder()
  for (let count = 0; count < 10; count++)
    await openFolderLog(place.folder, { fileBytes: 10, totalBytes: 9999, files: 4 }).close()
  assert.is(readdirSync(place.folder).length, 4)
  place.close()
})

log('deletes what short commands wrote before the log of a server, the oldest first', async () => {
  const place = openTemporaryFolder()
  const limits = { fileBytes: 10_000, totalBytes: 99_999, files: 6 }
  const server = openFolderLog(place.folder, limits)
  for (const id of ['s0', 's1', 's2']) server.write(entry(id))
  await server.close()
  for (let count = 0; count < 20; count++) {
    const command = openFolderLog(place.folder, limits)
    command.write(entry(`c${count}`))
    await command.close()
  }
  assert.equal(
    readLog(place.folder).map(({ request_id }) => request_id),
    ['s0', 's1', 's2', 'c15', 'c16', 'c17', 'c18', 'c19'],
  )
  place.close()
})

log('ignores entries after the close, and files of other programs', async () => {
  const place = openTemporaryFolder()
  const requests = openFolderLog(place.folder)
  requests.write(entry('before'))
  await requests.close()
  requests.write(entry('after'))
  assert.equal(
    readLog(place.folder).map(({ request_id }) => request_id),
    ['before'],
  )
  assert.equal(listLogFiles(join(place.folder, 'none')), [])
  place.close()
  rmSync(place.folder, { force: true })
})

log.run()
