// run: PostgreSQL, fleet
import * as assert from 'uvu/assert'
import type { Store } from '../../../src/ports/store.js'
import { createId } from '../../../src/runtime/ids.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'
import { newAvatar, newDiary } from '../../helpers/tasks.js'

const requests = storeSuite('request store', { isPooled: true })
let database: TestDatabase
let store: Store
requests.before.each(async (created) => {
  database = created
  store = await database.open()
})

const at = (ms: number) => new Date(Date.UTC(2026, 9, 20) + ms)
const owned = (petId: string) => ({ owner: { userId: 'u', petId, missing: [] } as const })

function bookInsight(callId: string, petId: string): Promise<unknown> {
  const call = { requestId: 'r', callId, keyId: 'key_1', endpoint: 'home-insights', createdAt: at(0), ...owned(petId) }
  return store.saveInsights([], call)
}

requests('finds the task and the pet of each call', async () => {
  const task = newAvatar({ callId: 'c1', ...owned('p1') })
  await store.createTask(task, 'pet-avatar')
  await bookInsight('c2', 'p2')
  const expected = [
    ['c1', { petId: 'p1', taskId: task.id }],
    ['c2', { petId: 'p2', taskId: undefined }],
  ]
  assert.equal([...(await store.findSubjects(['c2', 'none', 'c1']))].sort(), expected)
  assert.equal(await store.findSubjects([]), new Map())
})

requests('gives the trace of a call to the process that claims its units', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await store.createTask(newAvatar({ traceparent }), 'pet-avatar')
  await store.createTask(newAvatar(), 'pet-avatar')
  const other = await database.open()
  const { id: holderId } = await other.openHolder()
  const units = await other.claimUnits({ holderId, limit: 8, leaseMs: 60_000, slots: { scripted: 8 } })
  assert.equal([...new Set(units.map(({ task }) => task.traceparent))].sort(), [traceparent, undefined])
})

requests('distinguishes calls with the same request ID, key and time', async () => {
  const tasks = ['c1', 'c2'].map((callId) => newAvatar({ callId, createdAt: at(0), ...owned(`pet of ${callId}`) }))
  for (const task of tasks) await store.createTask(task, 'pet-avatar')
  for (const callId of ['c3', 'c4']) await bookInsight(callId, `pet of ${callId}`)
  const subjects = await store.findSubjects(['c1', 'c2', 'c3', 'c4'])
  assert.equal(
    [...subjects].map(([callId, { petId }]) => petId === `pet of ${callId}`),
    [true, true, true, true],
  )
  assert.equal([subjects.get('c1')?.taskId, subjects.get('c2')?.taskId], [tasks[0]?.id, tasks[1]?.id])
})

requests('finds the library that a call created, not its children', async () => {
  const library = newDiary({
    id: createId('diary_lib_'),
    kind: 'diary_library',
    units: [],
    callId: 'c1',
    ...owned('p1'),
  })
  const children = [1, 2].map(() => newDiary({ parentId: library.id, callId: 'c1', ...owned('p1') }))
  await store.createTask(library, 'pet-diary', undefined, children)
  assert.equal(await store.findSubjects(['c1']), new Map([['c1', { petId: 'p1', taskId: library.id }]]))
})

requests('finds the pet of a call that created a shared picture', async () => {
  const picture = { species: 'dog', sceneId: 'beach_run', recipe: 'shared recipe' }
  const task = { ...newDiary({ callId: 'c1', ...owned('shared') }), picture }
  await store.createSharedTask(task)
  await bookInsight('c1', 'p1')
  assert.equal(await store.findSubjects(['c1']), new Map([['c1', { petId: 'p1', taskId: task.id }]]))
})

requests('finds the pets of tasks', async () => {
  const task = newAvatar(owned('p1'))
  await store.createTask(task, 'pet-avatar')
  assert.equal(await store.findPets([task.id, 'avatar_none']), new Map([[task.id, 'p1']]))
  assert.equal(await store.findPets([]), new Map())
})

requests('lists the ledger of a task, without those of others', async () => {
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
