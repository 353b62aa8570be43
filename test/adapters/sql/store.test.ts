// run: PostgreSQL, fleet
import { join } from 'node:path'
import { Kysely, sql as statement } from 'kysely'
import * as assert from 'uvu/assert'
import { createJournal } from '../../../src/adapters/sql/journal.js'
import { createSqliteDialect, openSqlite } from '../../../src/adapters/sql/sqlite/dialect.js'
import { Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { createSqliteHotQueries } from '../../../src/adapters/sql/sqlite/hot-queries.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import { createReader } from '../../../src/adapters/sql/sqlite/reader.js'
import { createRetryWhileBusy } from '../../../src/adapters/sql/sqlite/retry-while-busy.js'
import { createWriter, createWriterThread, type Writer } from '../../../src/adapters/sql/sqlite/writer.js'
import type { Tables } from '../../../src/adapters/sql/tables.js'
import { createKey, fullSettings } from '../../../src/contract/access.js'
import type { Store } from '../../../src/ports/store.js'
import { newInsight } from '../../helpers/insight-record.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'
import { thrownBy } from '../../helpers/thrown.js'

const sql = storeSuite('SQL store', { isPooled: true })
let database: TestDatabase
sql.before.each((created) => {
  database = created
})

const now = new Date('2026-10-20T08:00:00Z')
const insertTask = (db: Kysely<Tables>, id: string) =>
  statement`insert into tasks (id, kind, status, request_id, key_id, user_id, pet_id, missing, provider, model, input, units,
    created_at, updated_at, finished_at) values (${id}, 'avatar', 'pending', 'r', 'key_a', 'u', 'p', '[]', 'scripted', 'm', '{}',
    '[]', 1, 1, 0)`.execute(db)
const openThree = async () => [await database.open(), await database.open(), await database.open()]
const append = ({ journal }: Store, requestId: string) => journal.append(newInsight(requestId))

/** Locks the database like another process, until a rollback. */
const lock = () => new Database(database.address).exec('begin immediate')

/** Appends records until one is refused. Returns the accepted ones and the refusal. */
async function appendUntilRefused(store: Store) {
  for (const accepted: string[] = []; ; await new Promise(setImmediate)) {
    const id = `r${accepted.length}`
    try {
      append(store, id)
    } catch (error) {
      return { accepted, code: (error as { code: string }).code }
    }
    accepted.push(id)
  }
}

function openHotQueries(writer: Pick<Writer, 'write'> = { write: () => undefined }) {
  const file = openSqlite(database.address)
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(file) })
  return { file, db, hotQueries: createSqliteHotQueries(db, file, writer) }
}

async function readIds(table: string): Promise<unknown[]> {
  const rows = await database.query(`select request_id from ${table} order by ${database.rowOrder}`)
  return rows.map(({ request_id }) => request_id)
}

sql('returns a key as it was stored', async () => {
  const store = await database.open()
  const { key } = createKey(
    { ...fullSettings, name: 'n', endpoints: ['models'], capabilities: [], admin: true, expiresAt: now },
    now,
  )
  await store.insertKey(key)
  assert.equal(await store.findKey(key.id), key)
  assert.equal(await store.listKeys(), [key])
  assert.is(await store.findKey('key_nobody'), undefined)
  assert.is(await store.insertFirstKey(key), false)
})

sql('appends rows in order, has all rows after a flush, and writes the waiting ones when it closes', async () => {
  const store = await database.open()
  // The second part is written in several groups.
  const ids = Array.from({ length: 203 + 9001 }, (_, index) => `r${index}`)
  for (const id of ids.slice(0, 203)) append(store, id)
  await store.journal.flush()
  for (const table of ['insight_archive', 'usage_entries']) assert.equal(await readIds(table), ids.slice(0, 203))
  for (const id of ids.slice(203)) append(store, id)
  await store.close()
  for (const table of ['insight_archive', 'usage_entries']) assert.equal(await readIds(table), ids)
})

sql('keeps rows that could not be written, is not healthy meanwhile, and retries', async () => {
  const store = await database.open()
  await database.query('alter table usage_entries rename to away')
  append(store, 'r1')
  await thrownBy(store.journal.flush())
  assert.is(await store.isAlive(), false)
  await database.query('alter table away rename to usage_entries')
  await store.journal.flush()
  append(store, 'r2')
  await store.journal.flush()
  assert.is(await store.isAlive(), true)
  for (const table of ['insight_archive', 'usage_entries']) assert.equal(await readIds(table), ['r1', 'r2'])
})

sql('closes even if rows cannot be written, and reports how many are lost', async () => {
  const store = await database.open()
  await database.query('drop table usage_entries')
  append(store, 'r1')
  append(store, 'r2')
  const error = await thrownBy(store.close())
  assert.is(error.code, 'unavailable')
  assert.match(error.message, 'the records of the last 2 calls are lost')
  assert.match((await thrownBy(store.listKeys())).message, /not open|destroyed/)
})

sql('books no call whose home cards cannot be stored', async () => {
  const store = await database.open()
  await database.query('drop table home_insights')
  const owner = { userId: 'u1', petId: 'p1', missing: [] }
  const call = { requestId: 'r', callId: 'c', keyId: 'key_a', owner, endpoint: 'home-insights', createdAt: now }
  const of = { source: 'home_template', userId: 'u1', petId: 'p1', locale: 'es', date: '2026-06-16' } as const
  const card = { id: 'ins_a', ...of, type: 'rest', title: '[1]', body: 'b', priority: 40, createdAt: now }
  await thrownBy(store.saveInsights([card], call))
  assert.is((await store.sumUsage('pet', {}, 1, 1)).total, 0)
})

const ofRecipe = "status = 'success' and recipe = 'r' and pet_id = 'p' and user_id = 'u'"
const ofScene = "parent_id is not null and pet_id = 'p' and user_id = 'u' and species = 'dog' and scene_id = 's'"
const plans: readonly (readonly [what: string, from: string, index: string])[] = [
  ['all diary pictures', "tasks where kind = 'diary'", 'tasks_diary'],
  ['diary pictures of a user', "tasks where kind = 'diary' and user_id = 'u'", 'tasks_diary_by_user'],
  ['pictures of a recipe', `tasks where kind = 'diary' and ${ofRecipe}`, 'tasks_by_recipe'],
  ['pictures of a scene', `tasks where kind = 'diary' and status = 'success' and ${ofScene}`, 'tasks_by_scene'],
  ['cards of a user', "home_insights where user_id = 'u'", 'home_insights_by_user'],
  ['cards of a pet', "home_insights where user_id = 'u' and pet_id = 'p'", 'home_insights_by_pet'],
]
for (const [what, from, index] of plans) {
  sql.onSqlite(`finds a page of ${what} by an index without sorting`, async () => {
    const select = `select id from ${from} order by created_at desc, id desc limit 20`
    const steps = (await database.query(`explain query plan ${select}`)).map(({ detail }) => String(detail))
    assert.is(steps.length, 1, steps.join('; '))
    assert.match(steps[0] ?? '', new RegExp(`INDEX ${index} |INDEX ${index}$`))
  })
}

sql.onSqlite('waits for the lock of another process without blocking this one', async () => {
  const store = await database.open()
  const other = lock()
  const granting = store.grantCalls({ keyId: 'key_a', limit: 1, wanted: 1, usedBy: 0, now: 0 })
  append(store, 'r1')
  const flushing = store.journal.flush()
  assert.is(await store.isAlive(), true)
  other.exec('rollback')
  assert.is((await granting).granted, 1)
  await flushing
  assert.equal(await readIds('insight_archive'), ['r1'])
  other.close()
})

sql.onSqlite('accepts records for 100 ms while another process has the lock, and again after it', async () => {
  const store = await openSqliteStore(database.address)
  const other = lock()
  const { accepted, code } = await appendUntilRefused(store)
  assert.is(code, 'unavailable')
  other.exec('rollback')
  await store.journal.flush()
  append(store, 'last')
  await store.journal.flush()
  assert.equal(await readIds('insight_archive'), [...accepted, 'last'])
  other.close()
  await store.close()
})

sql.onSqlite('accepts no records after a sync has failed, and is not alive', async () => {
  const store = await openSqliteStore(database.address, { syncData: () => Promise.reject(new Error('EIO')) })
  append(store, 'r1')
  await store.journal.flush()
  while (await store.isAlive()) await new Promise(setImmediate)
  assert.equal(await appendUntilRefused(store), { accepted: [], code: 'unavailable' })
  assert.is(await store.isAlive(), false)
  assert.is(store.journal.findDelay(), undefined, 'a call is refused at once')
  await store.close()
})

sql.onSqlite('acknowledges added and removed fault rules after a sync', async () => {
  const events: string[] = []
  const syncData = async () => void events.push('synced')
  const store = await openSqliteStore(database.address, { syncData })
  const fault = { id: 'a', fields: { status: '503' }, createdAt: now, expiresAt: null, times: null, every: 1 }
  const insert = () => store.insertFault(fault)
  for (const change of [insert, () => store.deleteFault('a'), insert, () => store.clearFaults()]) {
    events.length = 0
    await change()
    events.push('acknowledged')
    assert.equal(events, ['synced', 'acknowledged'])
  }
  await store.close()
})

sql.onSqlite('waits once if readers are locked out, then probes on another thread', async () => {
  const keptOut = Object.assign(new Error('locking protocol'), { code: 'SQLITE_PROTOCOL' })
  const looks: { end(error?: Error): void }[] = []
  const look = () =>
    new Promise<void>((resolve, reject) => looks.push({ end: (error) => (error ? reject(error) : resolve()) }))
  const attempt = createRetryWhileBusy(0, look)
  let asked = 0
  const ask = (fault?: Error) =>
    attempt(async () => {
      asked++
      if (fault !== undefined) throw fault
      return 'read'
    })
  const codes = async () => [(await thrownBy(ask())).code, (await thrownBy(ask())).code]
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  assert.is((await thrownBy(ask(keptOut))).code, 'unavailable')
  assert.equal(await codes(), ['unavailable', 'unavailable'])
  assert.equal([asked, looks.length], [1, 1])
  looks[0]?.end(keptOut)
  await settle()
  assert.equal(await codes(), ['unavailable', 'unavailable'])
  assert.equal([asked, looks.length], [1, 2])
  looks[1]?.end()
  await settle()
  assert.equal([await ask(), asked, looks.length], ['read', 2, 2])
})

sql.onSqlite('rejects a report on a broken database like any other query', async () => {
  const reader = createReader(join(database.folder, 'gone.db'))
  const failing = createRetryWhileBusy(0)(() => reader.read([{ sql: 'select 1', parameters: [] }]))
  assert.is((await thrownBy(failing)).code, 'unavailable')
  await reader.close()
})

sql.onSqlite('rejects on a full disk, and writes each waiting row once when there is space', async () => {
  const { file, db, hotQueries } = openHotQueries()
  const groups: number[] = []
  const journal = createJournal({
    hotQueries,
    commit: createRetryWhileBusy(0),
    syncSoon: async () => {},
    onGroupWritten: ({ rows } = { rows: 0, waitMs: 0 }) => void groups.push(rows),
  })
  const pages = file.pragma('page_count', { simple: true })
  file.pragma(`max_page_count = ${pages}`)
  const ids = Array.from({ length: 9000 }, (_, index) => `r${index}`)
  for (const id of ids) journal.append(newInsight(id))
  const error = await thrownBy(journal.flush())
  assert.is(error.code, 'unavailable')
  assert.is(error.cause?.code, 'SQLITE_FULL')
  assert.is(journal.isHealthy(), false)
  file.pragma('max_page_count = 1000000')
  await journal.flush()
  assert.is(journal.isHealthy(), true)
  assert.equal(groups, [8000, 8000, 2000])
  await db.destroy()
  assert.equal(await readIds('usage_entries'), ids)
})

sql.onSqlite('archives large groups in the thread and small ones here, and goes on after it crashed', async () => {
  const thread = createWriterThread()
  const writer = createWriter(database.address, thread)
  const groups: (number | undefined)[] = []
  let isDead = false
  const counted: Pick<Writer, 'write'> = {
    write(writes) {
      groups.push(writes[1]?.parameters[1] as number)
      return isDead ? Promise.reject(new Error('the thread ended')) : writer.write(writes)
    },
  }
  const { db, hotQueries } = openHotQueries(counted)
  const journal = createJournal({
    hotQueries,
    commit: createRetryWhileBusy(),
    syncSoon: async () => {},
    onGroupWritten: () => {},
  })
  const ids: string[] = []
  const appendGroup = async (size: number) => {
    for (let row = 0; row < size; row++) {
      ids.push(`r${ids.length}`)
      journal.append(newInsight(`r${ids.length - 1}`))
    }
    await journal.flush()
  }
  await appendGroup(50)
  // Until the writer's thread runs, the main thread writes the rows.
  let probe: Promise<void> | undefined
  for (; probe === undefined; probe = writer.write([])) await new Promise((resolve) => setTimeout(resolve, 10))
  await probe
  for (const size of [49, 50, 1, 300]) await appendGroup(size)
  isDead = true
  assert.match((await thrownBy(appendGroup(60))).message, 'the thread ended')
  counted.write = () => undefined
  await journal.flush()
  assert.equal(groups, [50, 50, 300, 60])
  await thread.close()
  await db.destroy()
  for (const table of ['insight_archive', 'usage_entries']) assert.equal(await readIds(table), ids)
  const columns = 'key_id, endpoint, user_id, pet_id, created_at'
  const entries = await database.query(`select distinct ${columns} from usage_entries`)
  const entry = { key_id: 'key_a', endpoint: 'health-detail-insights', user_id: 'hmac:u', pet_id: 'hmac:p' }
  assert.equal(entries, [{ ...entry, created_at: now.getTime() }])
})

sql.onSqlite('finds a task in its state after the running transaction of the connection', async () => {
  const { db, hotQueries } = openHotQueries()
  const finding: Promise<unknown>[] = []
  const write = (id: string, isKept: boolean) =>
    db.transaction().execute(async (tx) => {
      await insertTask(tx, id)
      finding.push(hotQueries.findTask(id).then((row) => row?.id))
      if (!isKept) throw new Error('taken back')
    })
  await write('kept', true)
  await write('lost', false).catch(() => {})
  assert.equal(await Promise.all(finding), ['kept', undefined])
  assert.is((await hotQueries.findTask('kept'))?.status, 'pending')
  assert.is(await hotQueries.findTask('lost'), undefined)
  await db.destroy()
})

sql.onSqlite('finds the present state of a cached task, even if its row ID has changed', async () => {
  const { db, file, hotQueries } = openHotQueries()
  const find = async () =>
    (await Promise.all(['a', 'b'].map((id) => hotQueries.findTask(id)))).map((row) => row?.status)
  for (const id of ['a', 'b']) await insertTask(db, id)
  assert.equal(await find(), ['pending', 'pending'])
  await db.updateTable('tasks').set({ status: 'success' }).where('id', '=', 'a').execute()
  assert.equal(await find(), ['success', 'pending'])
  // One task's row gets the row ID of the other.
  await db.deleteFrom('tasks').where('id', '=', 'a').execute()
  file.exec("update tasks set rowid = 1 where id = 'b'")
  assert.equal(await find(), [undefined, 'pending'])
  await insertTask(db, 'a')
  assert.equal(await find(), ['pending', 'pending'])
  await db.destroy()
})

sql('shares a limit between all processes, and does not count returned calls', async () => {
  const [one, other] = [await database.open(), await database.open()]
  const grant = (store: Store, wanted: number, at: number, unused?: { calls: number; usedBy: number }) =>
    store.grantCalls({ keyId: 'key_a', limit: 10, wanted, usedBy: at, now: at, ...(unused && { unused }) })
  const at = now.getTime()
  assert.equal(await grant(one, 6, at), { granted: 6, counted: 6, oldestLeavesAt: at + 60_000 })
  assert.equal(await grant(other, 6, at + 1000), { granted: 4, counted: 10, oldestLeavesAt: at + 60_000 })
  assert.is((await grant(one, 1, at + 2000)).granted, 0)
  assert.is((await grant(one, 5, at + 2000, { calls: 2, usedBy: at })).granted, 2)
  assert.is((await grant(other, 1, at + 59_999)).granted, 0)
  assert.is((await grant(other, 9, at + 60_000)).granted, 4)
})

sql('grants concurrent requests no more than the limit', async () => {
  const stores = await openThree()
  const ask = (store: Store) =>
    store.grantCalls({ keyId: 'key_a', limit: 10, wanted: 3, usedBy: now.getTime(), now: now.getTime() })
  const grants = await Promise.all([...stores, ...stores, ...stores].map(ask))
  const sum = grants.reduce((sum, { granted }) => sum + granted, 0)
  assert.is(sum, 10)
})

sql('inserts the first key for only one of several concurrent calls', async () => {
  const stores = await openThree()
  const insert = (store: Store) => store.insertFirstKey(createKey({ ...fullSettings, name: 'n', admin: true }, now).key)
  const answers = await Promise.all([...stores, ...stores, ...stores].map(insert))
  assert.is(answers.filter((answer) => answer).length, 1)
})

sql.run()
