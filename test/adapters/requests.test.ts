import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../src/adapters/sql/store.js'
import type { Store } from '../../src/ports.js'
import { makeFolder } from '../helpers/app.js'
import { newAvatar } from '../helpers/tasks.js'

const requests = suite('request store')
let folder: ReturnType<typeof makeFolder>
let store: Store
requests.before.each(async () => {
  folder = makeFolder()
  store = await openSqliteStore(join(folder.path, 'svc.db'))
})
requests.after.each(async () => {
  await store.close()
  folder.remove()
})

const at = (ms: number) => new Date(Date.UTC(2026, 9, 20) + ms)
const asked = (requestId: string, from: number, to = from) => ({ requestId, from: at(from), to: at(to) })
const owned = (petId: string) => ({ owner: { userId: 'u', petId, missing: [] } as const })

function bookInsight(requestId: string, petId: string, createdAt: Date): Promise<unknown> {
  const call = { requestId, keyId: 'k', endpoint: 'home-insights', calledAt: createdAt }
  return store.saveInsights([], { ...call, ...owned(petId) })
}

requests('finds the task and the pet of each call, in order', async () => {
  const task = newAvatar({ requestId: 'r1', createdAt: at(10), ...owned('p1') })
  await store.createTask(task, 'pet-avatar')
  await bookInsight('r2', 'p2', at(20))
  assert.equal(await store.findSubjects([asked('r2', 0, 99), asked('none', 0, 99), asked('r1', 10)]), [
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
    asked('r', 890, 910),
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
