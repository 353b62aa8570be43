import * as assert from 'uvu/assert'
import type { LoggedCall } from '../../src/ports/requests.js'
import type { Store } from '../../src/ports.js'
import { storeSuite, type TestDatabase } from '../helpers/stores.js'
import { newAvatar } from '../helpers/tasks.js'

const requests = storeSuite('request store')
let database: TestDatabase
let store: Store
requests.before.each(async (created) => {
  database = created
  store = await database.open()
})

const at = (ms: number) => new Date(Date.UTC(2026, 9, 20) + ms)
const owned = (petId: string) => ({ owner: { userId: 'u', petId, missing: [] } as const })

type Change = Partial<Pick<LoggedCall, 'keyId' | 'endpoint'>>

const asked = (requestId: string, from: number, to = from, change: Change = {}): LoggedCall => {
  const call = { keyId: 'key_1', endpoint: 'pet-avatar', receivedAt: at(from), answeredAt: at(to) }
  return { requestId, ...call, ...change }
}
const home = { endpoint: 'home-insights' }

function bookInsight(requestId: string, petId: string, createdAt: Date, keyId = 'key_1'): Promise<unknown> {
  return store.saveInsights([], { requestId, keyId, ...home, calledAt: createdAt, ...owned(petId) })
}

requests('finds the task and the pet of each call, in order', async () => {
  const task = newAvatar({ requestId: 'r1', createdAt: at(10), ...owned('p1') })
  await store.createTask(task, 'pet-avatar')
  await bookInsight('r2', 'p2', at(20))
  assert.equal(await store.findSubjects([asked('r2', 15, 99, home), asked('none', 0, 99), asked('r1', 10)]), [
    { petId: 'p2', taskId: undefined },
    undefined,
    { petId: 'p1', taskId: task.id },
  ])
  assert.equal(await store.findSubjects([]), [])
})

requests('tells calls with one ID apart by their time', async () => {
  const tasks = [10, 500].map((ms) => newAvatar({ requestId: 'r', createdAt: at(ms), ...owned(`p${ms}`) }))
  for (const task of tasks) await store.createTask(task, 'pet-avatar')
  await bookInsight('r', 'p900', at(900))
  const found = await store.findSubjects([
    asked('r', 890, 910, home),
    asked('r', 5, 15),
    asked('r', 100, 200),
    asked('r', 500),
  ])
  assert.equal(found, [
    { petId: 'p900', taskId: undefined },
    { petId: 'p10', taskId: tasks[0]?.id },
    undefined,
    { petId: 'p500', taskId: tasks[1]?.id },
  ])
})

requests('tells calls with one ID apart by their key and their endpoint', async () => {
  const task = newAvatar({ requestId: 'r', createdAt: at(10), ...owned('p1') })
  await store.createTask(task, 'pet-avatar')
  await bookInsight('r', 'p2', at(10), 'key_2')
  await bookInsight('r', 'p3', at(10))
  const found = await store.findSubjects([
    asked('r', 10, 50, { ...home, keyId: 'key_2' }),
    asked('r', 10, 50, home),
    asked('r', 10, 50),
    asked('r', 10, 50, { keyId: 'key_2' }),
    asked('r', 10, 50, { ...home, keyId: 'key_3' }),
  ])
  assert.equal(found, [
    { petId: 'p2', taskId: undefined },
    { petId: 'p3', taskId: undefined },
    { petId: 'p1', taskId: task.id },
    undefined,
    undefined,
  ])
})

requests('gives calls of one time and one ID what was made nearest to their receipt, each of it once', async () => {
  const tasks = [10, 20, 20, 30].map((ms, place) => {
    return newAvatar({ requestId: 'r', createdAt: at(ms), ...owned(`p${4 - place}`) })
  })
  for (const task of tasks) await store.createTask(task, 'pet-avatar')
  const found = await store.findSubjects([
    asked('r', 30, 90),
    // Answered again, so that it made nothing.
    asked('r', 8, 90),
    asked('r', 20, 90),
    asked('r', 10, 90),
    asked('r', 20, 90),
  ])
  const pets = found.map((subject) => subject?.petId)
  assert.equal([pets[0], pets[1], pets[3]], ['p1', undefined, 'p4'])
  assert.equal([pets[2], pets[4]].sort(), ['p2', 'p3'])
  for (const subject of found) {
    assert.is(subject?.taskId, tasks.find(({ owner }) => owner.petId === subject?.petId)?.id)
  }
})

requests('finds calls among very many of one ID in a moment', async () => {
  const booked = { keyId: 'key_1', endpoint: 'health-detail-insights' }
  await database.query(`
    with recursive numbers(number) as (select 0 union all select number + 1 from numbers where number < 19999)
    insert into usage_entries (request_id, key_id, endpoint, user_id, pet_id, missing_id, created_at)
    select 'r', '${booked.keyId}', '${booked.endpoint}', 'u', 'p' || number, 0, number + ${at(0).getTime()} from numbers`)
  const calls = Array.from({ length: 100 }, (_, place) => asked('r', place * 200, 20_000, booked))
  const startedAt = performance.now()
  const found = await store.findSubjects(calls)
  const tookMs = performance.now() - startedAt
  assert.equal(
    found.map((subject) => subject?.petId),
    calls.map((_, place) => `p${place * 200}`),
  )
  // 7.9 s where the cost is that of the square.
  assert.ok(tookMs < 1500, `${tookMs} ms`)
})

requests('finds the pets of tasks', async () => {
  const task = newAvatar(owned('p1'))
  await store.createTask(task, 'pet-avatar')
  assert.equal(await store.findPets([task.id, 'avatar_none']), new Map([[task.id, 'p1']]))
  assert.equal(await store.findPets([]), new Map())
})

requests('lists what was booked for a task and for no other', async () => {
  const task = newAvatar({ units: ['lying', 'sitting'] })
  const other = newAvatar({ id: `${task.id}0` })
  for (const one of [task, other]) await store.createTask(one, 'pet-avatar')
  const usage = { model: 'm', quantity: 1, unit: 'image', costMicros: 5, certain: true, maybeDuplicate: false } as const
  for (const unit of await store.claimUnits({ holderId: 'h', limit: 99, leaseMs: 9999, slots: { scripted: 99 } })) {
    const outcome = { status: 'success', output: { files: {} }, usage: { ...usage, model: unit.name } } as const
    await store.settleUnit(unit.lease, outcome, () => 'success')
  }
  const lines = await store.listLedger(task.id)
  assert.equal(lines, [
    { ...usage, model: 'lying' },
    { ...usage, model: 'sitting' },
  ])
  assert.equal(await store.listLedger('avatar_none'), [])
})

requests.run()
