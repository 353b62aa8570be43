import { Migrator } from 'kysely'
import { Client } from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { migrations } from '../../src/adapters/sql/migrations/index.js'
import { createDatabase, dropDatabase, findPostgres, query } from '../helpers/postgres.js'
import { connect, openPostgresStore } from '../helpers/postgres-store.js'
import { reportSkip } from '../helpers/skip.js'
import { newAvatar } from '../helpers/tasks.js'

/** What is PostgreSQL's own. What both engines must do stands in the suites of the store. */
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

add('gets its tables from several processes at once, each once', async (address) => {
  const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(address)))
  for (const store of stores) await store.close()
  await (await openPostgresStore(address)).close()
  const applied = await query(address, 'select name from kysely_migration order by name')
  assert.equal(
    applied.map(({ name }) => name),
    Object.keys(migrations),
  )
})

add('is brought up to date from the first version, with its rows', async (address) => {
  const db = connect(address)
  const provider = { getMigrations: async () => migrations }
  const { error } = await new Migrator({ db, provider }).migrateTo('0001-initial')
  assert.is(error, undefined)
  await db.destroy()
  await query(address, "insert into usage_entries values ('r', 'k', 'e', 'u', 'p', 0, 86400000)")
  const store = await openPostgresStore(address)
  const [row] = (await store.sumUsage('day', {}, 1, 1)).items
  assert.equal([row?.petId, row?.day, row?.missing, row?.model], ['p', '1970-01-02', [], ''])
  await store.createTask(newAvatar(), 'pet-avatar')
  await store.close()
})

add('has units claimed that nobody has locked, and waits for no other', async (address) => {
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

postgres.run()
