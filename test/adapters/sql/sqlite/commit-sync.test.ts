import { openSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCommitSync } from '../../../../src/adapters/sql/sqlite/commit-sync.js'
import { openSqlite } from '../../../../src/adapters/sql/sqlite/dialect.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'
import { codeOf } from '../../../helpers/thrown.js'

const commits = suite('sync of commits')

let place: ReturnType<typeof openTemporaryFolder>
let file: string
let database: ReturnType<typeof openSqlite>
let sync: ReturnType<typeof createCommitSync>
let running: { end(error?: Error): void }[]
let syncs: number
let reports: string[]
let changes: number[]
/** A database and a disk whose syncs end when the test says so. */
commits.before.each(() => {
  place = openTemporaryFolder()
  file = join(place.folder, 'svc.db')
  database = openSqlite(file)
  database.exec('create table notes (text text)')
  running = []
  syncs = 0
  reports = []
  changes = []
  sync = createCommitSync(database, file, {
    report: (message) => reports.push(message),
    onChanges: (rows) => void changes.push(rows),
    syncData() {
      syncs++
      return new Promise<void>((resolve, reject) => {
        running.push({ end: (error) => (error === undefined ? resolve() : reject(error)) })
      })
    },
  })
})
commits.after.each(async () => {
  await sync.close()
  database.close()
  place.close()
})

const insert = () => void database.exec("insert into notes values ('a')")

/** Ends the oldest sync, as soon as it runs. */
async function end(error?: Error): Promise<void> {
  while (running.length === 0) await new Promise(setImmediate)
  running.shift()?.end(error)
}

async function endAll(...flushes: readonly Promise<void>[]): Promise<void> {
  await end()
  await Promise.all(flushes)
}

const isPending = async (promise: Promise<void>) =>
  (await Promise.race([promise.then(() => false), new Promise((resolve) => setImmediate(resolve, true))])) === true

commits('resolves at once if nothing was committed since the last sync', async () => {
  await sync.flush()
  insert()
  await endAll(sync.flush())
  await sync.flush()
  assert.is(syncs, 1)
})

commits('lets all that committed before a sync began wait for that sync, and later commits for the next', async () => {
  insert()
  const first = sync.flush()
  while (syncs === 0) await new Promise(setImmediate)
  const later = [1, 2, 3].map(() => {
    insert()
    return sync.flush()
  })
  await endAll(first)
  for (const flush of later) assert.ok(await isPending(flush))
  await endAll(...later)
  assert.is(syncs, 2)
})

commits('waits for no change that is left unsynced, and for all others', async () => {
  const leave = () => sync.leaveUnsynced(async () => insert())
  await leave()
  await sync.flush()
  assert.is(syncs, 0)
  insert()
  const flush = sync.flush()
  while (syncs === 0) await new Promise(setImmediate)
  await leave()
  insert()
  await endAll(flush)
  const next = sync.flush()
  assert.ok(await isPending(next))
  await endAll(next)
  await leave()
  await sync.flush()
  assert.is(syncs, 2)
})

commits('syncs again after a transaction that was open while a sync began', async () => {
  insert()
  const first = sync.flush()
  database.exec('begin immediate')
  insert()
  await endAll(first)
  database.exec('commit')
  await endAll(sync.flush())
  assert.is(syncs, 2)
})

commits('rejects with `unavailable` after the disk failed, even if a later sync would succeed', async () => {
  insert()
  const flush = sync.flush()
  await end(new Error('EIO'))
  for (const failed of [flush, sync.flush()]) assert.is(await codeOf(failed), 'unavailable')
  assert.is(reports.length, 1)
})

commits('syncs commits that no caller waits for', async () => {
  insert()
  await endAll(sync.flushSoon())
  assert.is(syncs, 1)
  insert()
  const failing = codeOf(sync.flushSoon())
  await end(new Error('EIO'))
  assert.is(await failing, 'unavailable')
})

commits('counts the changes of each commit once', async () => {
  insert()
  insert()
  await endAll(sync.flush(), sync.flush())
  await sync.flush()
  insert()
  await endAll(sync.flush())
  assert.equal(changes, [2, 1])
})

commits('says that too many files are open, and syncs as soon as it can open the log', async () => {
  let isShort = true
  const openLog = (name: string) => {
    if (isShort) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' })
    return openSync(`${name}-wal`, 'r+')
  }
  const other = createCommitSync(database, file, { openLog, report: (message) => reports.push(message) })
  insert()
  for (let tries = 0; tries < 2; tries++) assert.is(await codeOf(other.flush()), 'unavailable')
  assert.equal(reports, [
    'Commits cannot be synced: too many files are open: raise the limit of open files (ulimit -n). Requests get status 503 until then.',
  ])
  isShort = false
  await other.flush()
  await other.close()
  await endAll(sync.flush())
})

commits.run()
