// run: PostgreSQL
import * as assert from 'uvu/assert'
import { openPostgresStore } from '../../../src/adapters/sql/postgres/open-store.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import type { ClaimedUnit } from '../../../src/ports/queue.js'
import type { Store } from '../../../src/ports/store.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'
import { newAvatar } from '../../helpers/tasks.js'
import { codeOf, thrownBy } from '../../helpers/thrown.js'

const clock = storeSuite('service clock')
const hour = 3_600_000
let database: TestDatabase
let store: Store
clock.before.each(async (created) => {
  database = created
  store = await database.open()
})

const advance = (ms: number, from: Store = store) => from.moveClock((offsetMs) => offsetMs + ms)
const claim = (from: Store = store): Promise<ClaimedUnit[]> =>
  from.claimUnits({ holderId: 'nobody', limit: 100, leaseMs: 60_000, slots: { scripted: 100 } })
/** Opens the store as a production process does. */
const openInProduction = () =>
  database.isPostgres
    ? openPostgresStore(database.address, { mayMoveClock: false })
    : openSqliteStore(database.address, { mayMoveClock: false })
const isNear = (time: number, expected: number) => assert.ok(Math.abs(time - expected) < 5000, `${time}, ${expected}`)

clock('is the real time until it is moved: at once in its process, and soon in others', async () => {
  const other = await database.open()
  assert.is(store.clockOffsetMs(), 0)
  isNear(store.now(), Date.now())
  await advance(25 * hour)
  assert.is(store.clockOffsetMs(), 25 * hour)
  isNear(store.now(), Date.now() + 25 * hour)
  while (other.clockOffsetMs() !== 25 * hour) await new Promise((go) => setTimeout(go, 20))
})

clock('answers a move after the other processes that hold work have the time', async () => {
  const other = await database.open()
  await other.openHolder()
  await advance(hour)
  assert.is(other.clockOffsetMs(), hour)
})

clock('adds moves of several processes, and keeps them over a restart', async () => {
  const other = await database.open()
  await advance(hour)
  await advance(2 * hour, other)
  await store.close()
  const restarted = await database.open()
  assert.is(restarted.clockOffsetMs(), 3 * hour)
  await restarted.moveClock(() => 0)
  assert.equal(await database.query("select * from settings where name = 'clock_offset_ms'"), [])
})

clock('moves the times of rows: claims, leases, retries and deadlines', async () => {
  await store.createTask(newAvatar({ units: ['lying', 'running'] }), null)
  const [first, second] = await claim()
  await store.retryUnit(first?.lease ?? '', { delayMs: 30_000, memo: null, usage: null })
  assert.equal(await claim(), [])
  await advance(31_000)
  assert.equal(
    [(await claim())[0]?.id, (await store.findTask(first?.task.id ?? ''))?.status],
    [first?.id, 'processing'],
  )
  await advance(30_000)
  // The lease of the second unit ends, and so does the deadline of both, a minute after they were created.
  const lost = await claim()
  assert.is(lost[0]?.id, second?.id)
  assert.ok((lost[0]?.deadlineAt.getTime() ?? 0) < store.now())
})

clock('makes units due again that a clock which was set back would delay', async () => {
  await advance(24 * hour)
  await store.createTask(newAvatar({ units: ['lying'] }), null)
  await claim()
  await store.createTask(newAvatar({ units: ['running'] }), null)
  await store.moveClock(() => 0)
  // The time of a process may be a millisecond ahead of the server's.
  let due: ClaimedUnit[] = []
  while (due.length === 0) due = await claim()
  assert.is(due.length, 1)
  assert.is((await database.query(`select id from units where lease_expires_at > ${Date.now() + hour}`)).length, 0)
})

clock('is the real time in production, which refuses a database whose clock was moved', async () => {
  const production = await openInProduction()
  assert.is(await codeOf(production.moveClock(() => hour)), 'forbidden')
  const other = await database.open()
  await advance(hour)
  // A process that may have a moved clock has read it meanwhile.
  while (other.clockOffsetMs() !== hour) await new Promise((go) => setTimeout(go, 20))
  assert.is(production.clockOffsetMs(), 0)
  isNear(production.now(), Date.now())
  await production.close()
  const { code, message } = await thrownBy(openInProduction())
  assert.is(code, 'invalid_request')
  assert.match(message, /^The clock of this service is the real time plus 1 h, for tests.*SVC_ENV=test .* clock reset$/)
})

clock.run()
