import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqlite } from '../../../../src/adapters/sql/sqlite/dialect.js'
import { createWriteGuard } from '../../../../src/adapters/sql/sqlite/open-store.js'
import { createRetryWhileBusy } from '../../../../src/adapters/sql/sqlite/retry-while-busy.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'
import { codeOf } from '../../../helpers/thrown.js'

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
  const write = (statement = "insert into rows values ('')") => run(async () => void database.exec(statement))
  return { reports, requireDisk, write }
}

guard('reports once that the database is read-only, until it can be written again', async () => {
  const { reports, requireDisk, write } = open()
  requireDisk()
  for (const round of [1, 2]) {
    database.pragma('query_only = 1')
    for (let tries = 0; tries < 2; tries++) {
      assert.is(await codeOf(write()), 'unavailable')
      assert.throws(requireDisk, /readonly/)
    }
    database.pragma('query_only = 0')
    requireDisk()
    await write()
    assert.is(reports.length, round)
    assert.match(reports.at(-1) ?? '', /^The database is read-only: requests that need it get status 503 until/)
  }
})

for (const [title, statement, code, reported] of [
  ['reports a full disk', 'create table more (text)', 'unavailable', /^The disk is full: /],
  ['ignores errors that are not of the disk', 'insert into nothing values (1)', 'SQLITE_ERROR', /^$/],
] as const) {
  guard(title, async () => {
    const { reports, write } = open()
    database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`)
    assert.is(await codeOf(write(statement)), code)
    assert.match(reports.join(), reported)
  })
}

guard.run()
