// run: alone, PostgreSQL
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { connect } from '../../../src/adapters/sql/postgres/connection.js'
import { isSvcError } from '../../../src/errors.js'
import type { InsightCard } from '../../../src/ports/home-insights.js'
import type { Store } from '../../../src/ports/store.js'
import { newInsight } from '../../helpers/insight-record.js'
import { crash, keepOwnServer, query } from '../../helpers/postgres.js'
import { postgresSuite } from '../../helpers/stores.js'
import { newAvatar } from '../../helpers/tasks.js'

const add = postgresSuite('PostgreSQL')
keepOwnServer()

/** Tries again while the database is unavailable, as callers do. */
async function untilAvailable<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isSvcError(error) || error.code !== 'unavailable') throw error
    }
  }
}

const claimAll = async (store: Store, holderId: string) =>
  (
    await untilAvailable(() => store.claimUnits({ holderId, limit: 4, leaseMs: 60_000, slots: { scripted: 1000 } }))
  ).map(({ id }) => id)

add('loses no accepted task and claims no unit twice while the server crashes', async ({ address, open }) => {
  const stores = [await open({ holderGoneMs: 2000 }), await open({ holderGoneMs: 2000 })] as const
  const holders = await Promise.all(stores.map((store) => store.openHolder()))
  const accepted: string[] = []
  const claimed: string[] = []
  let isOver = false
  const create = async (store: Store) => {
    while (!isOver) {
      const task = newAvatar()
      await store.createTask(task, 'pet-avatar').then(
        () => accepted.push(task.id),
        (error) => assert.is(error.code, 'unavailable', error.stack),
      )
    }
  }
  const work = async (store: Store, holderId: string) => {
    while (!isOver) claimed.push(...(await claimAll(store, holderId)))
  }
  const running = stores.flatMap((store, place) => [
    ...[1, 2, 3, 4].map(() => create(store)),
    work(store, holders[place]?.id ?? ''),
  ])
  const crashThrice = async () => {
    for (let crashes = 0; crashes <= 3; crashes++) {
      const before = accepted.length
      while (!isOver && accepted.length < before + 40) await new Promise((go) => setTimeout(go, 5))
      if (crashes < 3) await crash(address)
    }
  }
  const end = () => {
    isOver = true
  }
  // The first failure ends all, and is the one to tell.
  await Promise.all([crashThrice(), ...running].map((each) => each.finally(end)))
  const tasks = await query(address, 'select id from tasks')
  const stored = new Set(tasks.map(({ id }) => id))
  assert.is(
    accepted.find((id) => !stored.has(id)),
    undefined,
  )
  assert.is(new Set(claimed).size, claimed.length)
  assert.ok(claimed.length > 0)
  assert.ok(await stores[0]?.isAlive())
})

const isCreation = (commits: readonly string[]) => commits.some((text) => text.includes('insert into "tasks"'))

add('creates a task once if the answer to its commit is lost', async ({ address, open, openProxy }) => {
  let creations = 0
  const proxy = await openProxy(({ commits }) => isCreation(commits) && creations++ === 0)
  const store = await open({}, proxy.address)
  const tasks = [newAvatar(), newAvatar(), newAvatar()]
  const reservation = await reserve(store)
  await Promise.all(
    tasks.map((task, place) =>
      store.createTask(task, 'pet-avatar', place === 0 ? { reservation, body: { id: task.id } } : undefined),
    ),
  )
  assert.ok(creations > 0)
  const stored = await query(address, 'select id from tasks')
  assert.equal(stored.map(({ id }) => id).sort(), tasks.map(({ id }) => id).sort())
  assert.equal(await query(address, 'select count(*) as count from usage_entries'), [{ count: 3 }])
  assert.equal(await begin(store), { state: 'answered', body: { id: tasks[0]?.id } })
})

add('claims units again if the answer to the commit of their claim is lost', async ({ address, open, openProxy }) => {
  let claims = 0
  const proxy = await openProxy(({ commits }) => commits.join().includes('"claimed_at"') && claims++ === 0)
  const store = await open({}, proxy.address)
  const { id: holderId } = await store.openHolder()
  await store.createTask(newAvatar(), null)
  const claim = () => store.claimUnits({ holderId, limit: 4, leaseMs: 60_000, slots: { scripted: 4 } })
  const failure = await claim().catch((error) => error)
  assert.is(failure.code, 'unavailable', failure.stack)
  assert.equal(await query(address, 'select distinct status, claims from units'), [{ status: 'processing', claims: 1 }])
  const units = await untilAvailable(claim)
  assert.is(units.map(({ attempt }) => attempt).join(), '1,1,1,1')
  const leases = units.map(({ lease }) => lease)
  assert.equal((await store.renewLeases(leases, 60_000)).sort(), leases.sort())
})

add('saves a selection and home cards once if answers to commits are lost', async ({ address, open, openProxy }) => {
  const cuts: string[] = []
  // The first answer of each kind: the next commit of the same rows must find them.
  const proxy = await openProxy(({ text, commits }) => {
    if (!/^commit/i.test(text)) return false
    const table = /insert into "(selections|home_insights)"/.exec(commits.join())?.[1]
    if (table === undefined || cuts.includes(table)) return false
    cuts.push(table)
    return true
  })
  const store = await open({}, proxy.address)
  const owner = { userId: 'user-1', petId: 'pet-1', missing: [] }
  const call = { requestId: 'req_1', keyId: 'key_1', endpoint: 'e' }
  const choice = { diaryId: null, date: '2026-11-01', imageId: 'i', sceneId: 's', score: 1, matched: [] }
  const selection = { id: 'sel_1', owner, ...choice }
  await store.saveSelection(selection, { ...call, callId: 'call-1', owner, createdAt: new Date() })
  const of = { userId: 'user-1', petId: 'pet-1', locale: 'en-US', date: '2026-11-01', source: 'home_template' } as const
  const card: InsightCard = { id: 'ins_1', ...of, type: 't', title: 't', body: 'b', priority: 1, createdAt: new Date() }
  const cards = [card, { ...card, id: 'ins_2' }]
  const kept = await store.saveInsights(cards, { ...call, callId: 'call-2', owner, createdAt: new Date() })
  assert.equal(kept, cards)
  assert.equal(cuts, ['selections', 'home_insights'])
  assert.equal(await query(address, 'select id from selections'), [{ id: 'sel_1' }])
  const booked = await query(address, 'select call_id from usage_entries order by call_id')
  assert.equal(booked, [{ call_id: 'call-1' }, { call_id: 'call-2' }])
})

const begin = (store: Store) => store.beginIdempotent('key', 'f', new Date(), 60_000, 3_600_000)

async function reserve(store: Store) {
  const begun = await begin(store)
  if (begun.state !== 'begun') throw new Error(begun.state)
  return begun.reservation
}

add('says that the outcome is unknown if the server does not come back', async ({ address, open, openProxy }) => {
  let isGone = false
  const proxy = await openProxy(({ commits }) => {
    isGone ||= isCreation(commits)
    return isGone
  })
  const store = await open({}, proxy.address)
  const task = newAvatar()
  const error = await store.createTask(task, 'pet-avatar').catch((thrown) => thrown)
  assert.equal([error?.code, error?.isOutcomeUnknown], ['unavailable', true])
  assert.is(await store.isAlive(), false)
  assert.equal(await query(address, 'select id from tasks'), [{ id: task.id }])
})

add('is unavailable, and leaves nothing unknown, while no server listens', async ({ open, openProxy }) => {
  const proxy = await openProxy()
  const store = await open({}, proxy.address)
  await proxy.close()
  while (store.measurePool()?.open !== 0) await new Promise((go) => setImmediate(go))
  const error = await store.createTask(newAvatar(), 'pet-avatar').catch((thrown) => thrown)
  assert.equal([error?.code, error?.isOutcomeUnknown], ['unavailable', false])
  assert.is(await store.isAlive(), false)
})

add('gives up connections that answer nothing, and goes on with new ones', async ({ open, openProxy }) => {
  const proxy = await openProxy()
  const store = await open({ answerMs: { main: 300, heartbeat: 300 } }, proxy.address)
  const first = newAvatar()
  await store.createTask(first, 'pet-avatar')
  // Four connections, which are idle afterwards.
  await Promise.all([1, 2, 3, 4].map(() => store.listTasks({}, 1)))
  assert.is(store.measurePool()?.idle, 4)
  proxy.freeze()
  const failure = await store.findTask(first.id).catch((error) => error)
  assert.is(failure.code, 'unavailable', failure.stack)
  proxy.thaw()
  assert.is((await store.findTask(first.id))?.id, first.id)
})

add('creates a task once if the network falls silent before the answer', async ({ address, open, openProxy }) => {
  let creations = 0
  const proxy = await openProxy(({ commits }) => {
    if (!isCreation(commits) || creations++ > 0) return false
    setImmediate(() => {
      proxy.freeze()
      proxy.thaw()
    })
    return false
  })
  const store = await open({ answerMs: { main: 300, heartbeat: 300 } }, proxy.address)
  const task = newAvatar()
  await store.createTask(task, 'pet-avatar')
  assert.equal(await query(address, 'select id from tasks'), [{ id: task.id }])
  assert.ok(await store.isAlive())
})

add('uses no connection again whose server has become read-only', async ({ address }) => {
  const { run, db, close } = connect(address, 1)
  const act = () => db.transaction().execute((tx) => sql`create table acted ()`.execute(tx))
  for (const write of [() => run('create table ran ()', []), act]) {
    await run('set default_transaction_read_only = on', [])
    assert.is(await write().then(String, ({ code }) => code), '25006')
    await write()
  }
  await close()
})

add('stores an insight once if the answers to its commit are lost', async ({ address, open, openProxy }) => {
  let cuts = 0
  // The answer to the commit of the rows, and to the one that finds them written.
  const proxy = await openProxy(({ text, commits }) => {
    const isArchived = cuts > 0 || commits.join().includes('insert into "insight_archive"')
    return /^commit/i.test(text) && isArchived && cuts++ < 2
  })
  const store = await open({}, proxy.address)
  for (const id of ['one', 'two', 'three']) store.journal.append(newInsight(id))
  await untilAvailable(() => store.journal.flush())
  assert.is(cuts, 3)
  for (const table of ['insight_archive', 'usage_entries']) {
    const rows = await query(address, `select request_id from ${table}`)
    assert.equal(rows.map(({ request_id }) => request_id).sort(), ['one', 'three', 'two'], table)
  }
})

add.run()
