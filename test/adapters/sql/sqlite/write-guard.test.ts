import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqlite } from '../../../../src/adapters/sql/sqlite/dialect.js'
import { createWriteGuard } from '../../../../src/adapters/sql/sqlite/open-store.js'
import { createRetryWhileBusy } from '../../../../src/adapters/sql/sqlite/retry-while-busy.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'

const guard = suite('guard of writes')
const place = openTemporaryFolder()
let database: ReturnType<typeof openSqlite>
guard.before.each(() => {
  database = openSqlite(join(place.folder, 'a.db'))
  database.exec('create table if not exists rows (text)')
})
guard.after.each(() => void database.close())
guard.after(() => place.close())

function open() {
  const reports: string[] = []
  const { protect, requireDisk } = createWriteGuard(database, (message) => reports.push(message))
  const run = protect(createRetryWhileBusy(0))
  const write = () => run(async () => database.prepare("insert into rows values ('')").run())
  return { reports, requireDisk, run, write }
}

guard('reports once that the database is read-only, until it can be written again', async () => {
  const { reports, requireDisk, write } = open()
  requireDisk()
  for (const round of [1, 2]) {
    database.pragma('query_only = 1')
    for (let tries = 0; tries < 2; tries++) {
      assert.is(await write().then(String, (error) => error.code), 'unavailable')
      assert.throws(requireDisk, /readonly/)
    }
    database.pragma('query_only = 0')
    requireDisk()
    await write()
    assert.equal(
      reports,
      Array.from({ length: round }, () => {
        return 'The database is read-only: requests that need it get status 503 until it can be written again.'
      }),
    )
  }
})

guard('reports a full disk', async () => {
  const { reports, run } = open()
  database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`)
  const failure = await run(async () => database.exec('create table more (text)')).catch((error) => error.code)
  assert.is(failure, 'unavailable')
  assert.match(reports.join(), /^The disk is full: /)
})

guard('ignores errors that are not of the disk', async () => {
  const { reports, run } = open()
  const failure = await run(async () => database.exec('insert into nothing values (1)')).catch((error) => error.code)
  assert.is(failure, 'SQLITE_ERROR')
  assert.equal(reports, [])
})

guard.run()
