import { openSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCommitSync } from '../../../../src/adapters/sql/sqlite/commit-sync.js'
import { openSqlite } from '../../../../src/adapters/sql/sqlite/dialect.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'

const commits = suite('sync of commits')

/** A database and a disk whose syncs end when the test says so. */
function open() {
  const place = openTemporaryFolder()
  const file = join(place.folder, 'svc.db')
  const database = openSqlite(file)
  database.exec('create table notes (text text)')
  const running: { end(error?: Error): void }[] = []
  let count = 0
  const reports: string[] = []
  const syncData = () => {
    count++
    return new Promise<void>((resolve, reject) => {
      running.push({ end: (error) => (error === undefined ? resolve() : reject(error)) })
    })
  }
  const changes: number[] = []
  const sync = createCommitSync(database, file, {
    report: (message) => reports.push(message),
    onChanges: (rows) => {
      changes.push(rows)
      return undefined
    },
    syncData,
  })
  const insert = () => void database.exec("insert into notes values ('a')")
  return {
    database,
    changes,
    insert,
    reports,
    sync,
    countSyncs: () => count,
    /** Ends the oldest sync, as soon as it runs. */
    async end(error?: Error) {
      while (running.length === 0) await new Promise(setImmediate)
      running.shift()?.end(error)
    },
    async close() {
      await sync.close()
      database.close()
      place.close()
    },
  }
}

const isPending = async (promise: Promise<void>) =>
  (await Promise.race([promise.then(() => false), new Promise((resolve) => setImmediate(resolve, true))])) === true

commits('resolves at once if nothing was committed since the last sync', async () => {
  const disk = open()
  await disk.sync.flush()
  disk.insert()
  const first = disk.sync.flush()
  await disk.end()
  await first
  await disk.sync.flush()
  assert.is(disk.countSyncs(), 1)
  await disk.close()
})

commits('lets all that committed before a sync began wait for that sync, and later commits for the next', async () => {
  const disk = open()
  disk.insert()
  const first = disk.sync.flush()
  while (disk.countSyncs() === 0) await new Promise(setImmediate)
  const later = [1, 2, 3].map(() => {
    disk.insert()
    return disk.sync.flush()
  })
  await disk.end()
  await first
  for (const flush of later) assert.ok(await isPending(flush))
  await disk.end()
  await Promise.all(later)
  assert.is(disk.countSyncs(), 2)
  await disk.close()
})

commits('waits for no change that is left unsynced, and for all others', async () => {
  const disk = open()
  const leave = () => disk.sync.leaveUnsynced(async () => disk.insert())
  await leave()
  await disk.sync.flush()
  assert.is(disk.countSyncs(), 0)
  disk.insert()
  const flush = disk.sync.flush()
  while (disk.countSyncs() === 0) await new Promise(setImmediate)
  await leave()
  disk.insert()
  await disk.end()
  await flush
  const next = disk.sync.flush()
  assert.ok(await isPending(next))
  await disk.end()
  await next
  await leave()
  await disk.sync.flush()
  assert.is(disk.countSyncs(), 2)
  await disk.close()
})

commits('syncs again after a transaction that was open while a sync began', async () => {
  const disk = open()
  disk.insert()
  const first = disk.sync.flush()
  disk.database.exec('begin immediate')
  disk.insert()
  await disk.end()
  await first
  disk.database.exec('commit')
  const second = disk.sync.flush()
  await disk.end()
  await second
  assert.is(disk.countSyncs(), 2)
  await disk.close()
})

commits('rejects with `unavailable` after the disk failed, even if a later sync would succeed', async () => {
  const disk = open()
  disk.insert()
  const flush = disk.sync.flush()
  await disk.end(new Error('EIO'))
  for (const failed of [flush, disk.sync.flush()]) {
    const error = await failed.then(
      () => undefined,
      (thrown: { code?: string }) => thrown,
    )
    assert.is(error?.code, 'unavailable')
  }
  assert.is(disk.reports.length, 1)
  await disk.close()
})

commits('syncs commits that no caller waits for', async () => {
  const disk = open()
  disk.insert()
  const stored = disk.sync.flushSoon()
  await disk.end()
  await stored
  assert.is(disk.countSyncs(), 1)
  disk.insert()
  const failing = disk.sync.flushSoon().catch((error: { code: string }) => error.code)
  await disk.end(new Error('EIO'))
  assert.is(await failing, 'unavailable')
  await disk.close()
})

commits('counts the changes of each commit once', async () => {
  const disk = open()
  disk.insert()
  disk.insert()
  const flushes = [disk.sync.flush(), disk.sync.flush()]
  await disk.end()
  await Promise.all(flushes)
  await disk.sync.flush()
  disk.insert()
  const flush = disk.sync.flush()
  await disk.end()
  await flush
  assert.equal(disk.changes, [2, 1])
  await disk.close()
})

commits('says that too many files are open, and syncs as soon as it can open the log', async () => {
  const place = openTemporaryFolder()
  const file = join(place.folder, 'svc.db')
  const database = openSqlite(file)
  const reports: string[] = []
  let isShort = true
  const openLog = (name: string) => {
    if (isShort) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' })
    return openSync(`${name}-wal`, 'r+')
  }
  const sync = createCommitSync(database, file, { openLog, report: (message) => reports.push(message) })
  database.exec("create table notes (text text); insert into notes values ('a')")
  for (let tries = 0; tries < 2; tries++) {
    assert.is(await sync.flush().then(String, (error) => error.code), 'unavailable')
  }
  assert.equal(reports, [
    'Commits cannot be synced: too many files are open: raise the limit of open files (ulimit -n). Requests get status 503 until then.',
  ])
  isShort = false
  await sync.flush()
  await sync.close()
  database.close()
  place.close()
})

commits.run()
