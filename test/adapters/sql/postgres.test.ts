// run: PostgreSQL
import { Client } from 'pg'
import * as assert from 'uvu/assert'
import { createDatabaseClock } from '../../../src/adapters/sql/postgres/open-store.js'
import { query } from '../../helpers/postgres.js'
import { postgresSuite } from '../../helpers/stores.js'
import { newAvatar } from '../../helpers/tasks.js'

/** Tests for both engines are in the suites of the store. */
const add = postgresSuite('PostgreSQL')

add('claims units that are not locked, without waiting for locked ones', async ({ address, open }) => {
  const store = await open()
  const task = newAvatar({ units: ['lying', 'sitting'] })
  await store.createTask(task, 'pet-avatar')
  const other = new Client({ connectionString: address })
  await other.connect()
  await other.query(`begin; select * from units where name = 'lying' for update`)
  const claim = { holderId: 'h', limit: 9, leaseMs: 60_000, slots: { scripted: 9 } }
  const claimNames = async () => (await store.claimUnits(claim)).map(({ name }) => name)
  assert.equal(await claimNames(), ['sitting'])
  await other.query('rollback')
  await other.end()
  assert.equal(await claimNames(), ['lying'])
})

add('counts the living processes that use other models', async ({ open }) => {
  const [one, other] = [await open(), await open()]
  const holder = await one.openHolder('a')
  await other.openHolder('b')
  assert.equal([await one.countOtherModels('a'), await one.countOtherModels('b')], [1, 0])
  await other.close()
  assert.is(await one.countOtherModels('a'), 0)
  await holder.close()
})

add('prepares its statements again after a newer program has added a column', async ({ address, open }) => {
  const store = await open({ connections: 1 })
  const task = newAvatar()
  await store.createTask(task, 'pet-avatar')
  const find = async () => (await store.listFinishedAvatars('user-1', 1, 10)).total
  assert.is(await find(), 0)
  await query(address, 'alter table tasks add column later text')
  assert.is(await find(), 0)
  assert.is((await store.findTask(task.id))?.id, task.id)
})

add("counts on from the database's time by a monotonic clock", async ({ address, open }) => {
  const store = await open()
  const [row] = await query(address, 'select extract(epoch from clock_timestamp()) * 1000 as now')
  assert.ok(Math.abs(store.now() - Number(row?.now)) < 1000)
  let elapsed = 1000
  const clock = createDatabaseClock(() => elapsed)
  clock.adjust(90_000, 900)
  elapsed = 5000
  assert.is(clock.now(), 94_050)
  // A sample that took too long is too vague.
  clock.adjust(200_000, 0)
  assert.is(clock.now(), 94_050)
})

add('claims a unit, and settles the first of a task, without reading the queue', async ({ address, open }) => {
  const store = await open()
  const holder = await store.openHolder()
  const claim = { holderId: holder.id, limit: 1, leaseMs: 60_000, slots: { scripted: 1 } }
  await store.createTask(newAvatar({ waitsForFirst: true }), null)
  const [unit] = await store.claimUnits(claim)
  await Promise.all(Array.from({ length: 1000 }, () => store.createTask(newAvatar(), null)))
  assert.is(await store.findNextDueMs(['scripted']), 0)
  assert.is((await store.claimUnits({ ...claim, slots: { scripted: 2 } })).length, 1)
  const failure = { code: 'provider_error', message: 'It failed.' } as const
  await store.settleUnit(unit?.lease ?? '', { status: 'failed', failure, usage: null }, () => 'processing')
  // Each session tells the number when it ends.
  await store.close()
  const reads =
    "select max(idx_tup_read) as rows from pg_stat_user_indexes where indexrelname in ('units_due', 'units_overdue')"
  const [row] = await query(address, reads)
  assert.ok(Number(row?.rows) < 100, `${row?.rows} entries of an index were read`)
})

add.run()
