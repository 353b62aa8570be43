// run: PostgreSQL
import { Migrator } from 'kysely'
import { Client } from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { migrations } from '../../../src/adapters/sql/migrations.js'
import { connect } from '../../../src/adapters/sql/postgres/connection.js'
import { createDatabaseClock, openPostgresStore } from '../../../src/adapters/sql/postgres/open-store.js'
import { createDatabase, dropDatabase, findPostgres, query } from '../../helpers/postgres.js'
import { reportSkip } from '../../helpers/skip.js'
import { newAvatar } from '../../helpers/tasks.js'
import { bookOldPayments, oldMonths, readMonths } from './old-spending.js'

/** Tests for PostgreSQL only. Tests for both engines are in the suites of the store. */
const postgres = suite('PostgreSQL')
const programs = findPostgres()

/** Adds a test with a database that has no tables. */
function add(title: string, check: (address: string) => Promise<void>): void {
  postgres(title, async () => {
    if (programs === undefined) return reportSkip(`${title}: PostgreSQL is not installed`)
    const address = await createDatabase(programs)
    try {
      await check(address)
    } finally {
      await dropDatabase(address)
    }
  })
}

add('is migrated once when several processes start at the same time', async (address) => {
  const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(address)))
  for (const store of stores) await store.close()
  await (await openPostgresStore(address)).close()
  const applied = await query(address, 'select name from kysely_migration order by name')
  assert.equal(
    applied.map(({ name }) => name),
    Object.keys(migrations),
  )
})

for (const version of ['0001-initial', '0010-shared-pictures']) {
  add(`is migrated from version ${version} with its rows`, async (address) => {
    const { db, close } = connect(address, 8)
    const provider = { getMigrations: async () => migrations }
    const { error } = await new Migrator({ db, provider }).migrateTo(version)
    assert.is(error, undefined)
    await close()
    await query(
      address,
      `insert into usage_entries (request_id, key_id, endpoint, user_id, pet_id, missing_id, created_at)
      values ('r', 'k', 'e', 'u', 'p', 0, 86400000)`,
    )
    const store = await openPostgresStore(address)
    const [row] = (await store.sumUsage('day', {}, 1, 1)).items
    assert.equal([row?.petId, row?.day, row?.missing, row?.model], ['p', '1970-01-02', [], ''])
    const task = newAvatar()
    await store.createTask(task, 'pet-avatar')
    assert.is((await store.findSubjects([task.callId])).get(task.callId)?.taskId, task.id)
    await store.close()
  })
}

add('sums the payments of a month when it is migrated', async (address) => {
  const { db, close } = connect(address, 8)
  const provider = { getMigrations: async () => migrations }
  assert.is((await new Migrator({ db, provider }).migrateTo('0024-growth')).error, undefined)
  await close()
  await query(address, bookOldPayments)
  await (await openPostgresStore(address)).close()
  assert.equal(await query(address, readMonths), oldMonths)
})

add('claims units that are not locked, without waiting for locked ones', async (address) => {
  const store = await openPostgresStore(address)
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
  await store.close()
})

add('counts the living processes that use other models', async (address) => {
  const [one, other] = await Promise.all([openPostgresStore(address), openPostgresStore(address)])
  const holder = await one.openHolder('a')
  await other.openHolder('b')
  assert.equal([await one.countOtherModels('a'), await one.countOtherModels('b')], [1, 0])
  await other.close()
  assert.is(await one.countOtherModels('a'), 0)
  await holder.close()
  await one.close()
})

add('prepares its statements again after a newer program has added a column', async (address) => {
  const store = await openPostgresStore(address, { connections: 1 })
  const task = newAvatar()
  await store.createTask(task, 'pet-avatar')
  const find = async () => (await store.listFinishedAvatars('user-1', 1, 10)).total
  assert.is(await find(), 0)
  await query(address, 'alter table tasks add column later text')
  assert.is(await find(), 0)
  assert.is((await store.findTask(task.id))?.id, task.id)
  await store.close()
})

add("counts on from the database's time by a monotonic clock", async (address) => {
  const store = await openPostgresStore(address)
  const [row] = await query(address, 'select extract(epoch from clock_timestamp()) * 1000 as now')
  assert.ok(Math.abs(store.now() - Number(row?.now)) < 1000)
  await store.close()
  let elapsed = 1000
  const clock = createDatabaseClock(() => elapsed)
  clock.adjust(90_000, 900)
  elapsed = 5000
  assert.is(clock.now(), 94_050)
  // A sample that took too long is too vague.
  clock.adjust(200_000, 0)
  assert.is(clock.now(), 94_050)
})

add('claims a unit, and settles the first of a task, without reading the queue', async (address) => {
  const store = await openPostgresStore(address)
  const holder = await store.openHolder()
  const claim = { holderId: holder.id, limit: 1, leaseMs: 60_000, slots: { scripted: 1 } }
  await store.createTask(newAvatar({ waitsForFirst: true }), null)
  const [unit] = await store.claimUnits(claim)
  await Promise.all(Array.from({ length: 5000 }, () => store.createTask(newAvatar(), null)))
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

postgres.run()
