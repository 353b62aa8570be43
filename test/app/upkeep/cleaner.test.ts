import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import { startCleaner, startDailySums } from '../../../src/app/upkeep/cleaner.js'
import { pruneDaily } from '../../../src/app/upkeep/prune.js'
import { toStorageConfig } from '../../../src/config/storage.js'
import { loadConfig } from '../../../src/config.js'
import { SvcError } from '../../../src/errors.js'
import { describeDataDir } from '../../../src/runtime/data-dir.js'
import { startApp } from '../../helpers/app.js'
import { newAvatar } from '../../helpers/tasks.js'

const cleaner = suite('cleaner')

cleaner(
  'removes old files that no task names and old remains of snapshots, and sums usage per day, in a thread',
  async () => {
    const app = await startApp()
    const dataDir = describeDataDir(app.dataDir)
    const hourAgo = Date.now() / 1000 - 3700
    const make = (path: string, at: number) => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, 'x')
      utimesSync(path, at, at)
      return path
    }
    const photo = (name: string, at = hourAgo) => make(join(dataDir.objects, 'ai-gateway/photos', name), at)
    const [orphan, named, young] = [photo('orphan.jpg'), photo('named.jpg'), photo('young.jpg', Date.now() / 1000)]
    const store = await openSqliteStore(dataDir.database)
    await store.createTask(newAvatar({ input: { sourceKey: 'ai-gateway/photos/named.jpg' } }), null)
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
    await store.createTask(newAvatar({ createdAt: twoDaysAgo }), 'pet-avatar')
    await store.close()
    const snapshot = join(app.dataDir, '.snapshot-77')
    make(join(snapshot, 'svc.db'), hourAgo)
    utimesSync(snapshot, 1, 1)

    const running = startCleaner({ path: app.dataDir, hasObjects: true, sumsUsage: true }, 0, assert.unreachable)
    const reader = new Database(dataDir.database, { readonly: true })
    const sums = reader.prepare<[], number>('select count(*) from usage_days where requests = 1').pluck()
    while (existsSync(orphan) || existsSync(snapshot) || sums.get() === 0) await new Promise(setImmediate)
    await running.close()
    assert.is(sums.get(), 4)
    reader.close()
    assert.equal([existsSync(named), existsSync(young)], [true, true])
    await app.close()
  },
)

cleaner('prunes what is older than the retention of the settings', async () => {
  const app = await startApp()
  const storage = toStorageConfig(loadConfig({ dataDir: app.dataDir }, {}))
  const { database } = describeDataDir(app.dataDir)
  const reader = new Database(database)
  const times = [3, 1].map((days) => Date.now() - days * 86_400_000)
  for (const at of times) {
    reader.exec(`insert into home_insights (id, source, user_id, pet_id, locale, local_date, type, title, body, priority, created_at)
      values ('ins_${at}', 'rules', 'u', 'p', 'en-US', '2026-11-01', 't', 't', 'b', 1, ${at})`)
  }
  const ids = reader.prepare<[], string>('select id from home_insights order by id').pluck()
  const work = { path: app.dataDir, pruned: { storage, days: 2 }, hasObjects: false, sumsUsage: false }
  const running = startCleaner(work, 0, assert.unreachable)
  while (ids.all().length === 2) await new Promise(setImmediate)
  assert.equal(ids.all(), [`ins_${times[1]}`])
  // The other processes leave it to this one.
  assert.is(await pruneDaily(storage, 2), undefined)
  await running.close()
  reader.close()
  await app.close()
})

cleaner('reports that its work failed', async () => {
  const path = join(tmpdir(), 'svc-no-such-folder')
  let message = ''
  const running = startCleaner({ path, hasObjects: false, sumsUsage: true }, 0, (reported) => {
    message = reported
  })
  while (message === '') await new Promise(setImmediate)
  await running.close()
  assert.match(
    message,
    /^The daily work on .*svc-no-such-folder failed\. The server tries again in a day\. Reason: .+$/,
  )
})

cleaner('reports the first of several failures of daily sums, and the next success', async () => {
  const said: string[] = []
  const outcomes = [false, false, true, true, false, false]
  const sumPastDays = async () => {
    if (outcomes.shift() !== true) throw new SvcError('unavailable', 'The database does not answer.')
  }
  const sums = startDailySums({ sumPastDays }, 0, (message) => said.push(message), 1)
  while (outcomes.length > 0) await new Promise(setImmediate)
  await sums.close()
  const [first = '', second, third] = said
  assert.match(first, /^Usage was not summed per day, .* Reason: The database does not answer\.$/)
  assert.equal([second, third, said.length], ['Usage is summed per day again.', first, 3])
})

cleaner.run()
