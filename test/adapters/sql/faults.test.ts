// run: PostgreSQL, fleet
import * as assert from 'uvu/assert'
import { pruneTasks } from '../../../src/adapters/sql/upkeep/task-pruner.js'
import type { NewFault } from '../../../src/ports/faults.js'
import type { Store } from '../../../src/ports/store.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'
import { newAvatar, newDiary } from '../../helpers/tasks.js'

const faults = storeSuite('fault rules', { isPooled: true })
let database: TestDatabase
let store: Store
faults.before.each(async (created) => {
  database = created
  store = await database.open()
})

const newFault = (id: string, change: Partial<NewFault> = {}): NewFault => ({
  id,
  fields: { route: 'GET /v1/models', status: '503' },
  createdAt: new Date(1000),
  expiresAt: null,
  times: null,
  every: 1,
  ...change,
})

faults('keeps rules as they were added, the oldest first by its ID, also after the clock was set back', async () => {
  const first = newFault('a', { fields: { user: 'a,b', 'never-ends': 'true' } })
  const second = newFault('b', { createdAt: new Date(500), times: 3, every: 2, expiresAt: new Date(9000) })
  for (const fault of [second, first]) await store.insertFault(fault)
  const other = await database.open()
  const stored = [first, second].map((fault) => ({ ...fault, matched: 0, fired: 0 }))
  assert.equal(await other.listFaults(), stored)
  assert.equal([await other.deleteFault('a'), await other.deleteFault('a')], [true, false])
})

faults('fires exactly as often as it may in two processes at once', async () => {
  await store.insertFault(newFault('few', { times: 25 }))
  await store.insertFault(newFault('third', { every: 3 }))
  const other = await database.open()
  const calls = Array.from({ length: 240 }, (_, call) =>
    (call % 2 === 0 ? store : other).countFault(call % 4 < 2 ? 'few' : 'third'),
  )
  assert.is((await Promise.all(calls)).filter(Boolean).length, 25 + 40)
  assert.equal(
    (await store.listFaults()).map(({ id, matched, fired }) => [id, matched, fired]),
    [
      ['few', 25, 25],
      ['third', 120, 40],
    ],
  )
})

faults('counts the rules that are neither expired nor spent', async () => {
  assert.is(await store.countActiveFaults(5000), 0)
  await store.insertFault(newFault('lasting'))
  await store.insertFault(newFault('short', { expiresAt: new Date(5000) }))
  await store.insertFault(newFault('once', { times: 1 }))
  assert.equal([await store.countActiveFaults(4999.5), await store.countActiveFaults(5000)], [3, 2])
  await store.countFault('once')
  assert.is(await store.countActiveFaults(5000), 1)
})

faults('counts a unit once, also if a crash ends the process that counted it', async () => {
  await store.insertFault(newFault('spent', { times: 1 }))
  await store.insertFault(newFault('second', { times: 1 }))
  assert.is(await store.takeUnitFault('task/000', ['spent', 'second']), 'spent')
  const other = await database.open()
  assert.is(await other.takeUnitFault('task/000', ['spent', 'second']), 'spent')
  assert.is(await other.findUnitFault('task/000'), 'spent')
  assert.is(await other.takeUnitFault('task/001', ['spent', 'second']), 'second')
  assert.is(await other.takeUnitFault('task/002', ['spent', 'second']), undefined)
  assert.is(await other.findUnitFault('task/002'), undefined)
  // A unit for which no rule fired is not counted again either.
  await store.insertFault(newFault('every', { every: 2 }))
  assert.is(await store.takeUnitFault('task/003', ['every']), undefined)
  assert.is(await store.takeUnitFault('task/003', ['every']), undefined)
  assert.is(await store.takeUnitFault('task/004', ['every']), 'every')
})

faults('shortens the life of a rule that was added before the clock was set back', async () => {
  const hour = 3_600_000
  await store.moveClock(() => 24 * hour)
  const createdAt = new Date(store.now())
  await store.insertFault(newFault('late', { createdAt, expiresAt: new Date(createdAt.getTime() + hour) }))
  await store.insertFault(newFault('lasting', { createdAt }))
  await store.moveClock(() => 0)
  // Workers find that the clock was set back.
  await store.claimUnits({ holderId: 'nobody', limit: 1, leaseMs: 60_000, slots: { scripted: 1 } })
  const [lasting, late] = await store.listFaults()
  assert.is(lasting?.expiresAt, null)
  assert.ok(late?.expiresAt && late.expiresAt.getTime() <= store.now() + hour)
})

faults('forgets the units of a rule that is removed, and all with the last rule', async () => {
  const listUnits = () => database.query('select unit_id from fault_units order by unit_id')
  const fill = async () => {
    await store.insertFault(newFault('all'))
    await store.insertFault(newFault('second', { every: 2 }))
    await store.takeUnitFault('task/000', ['all'])
    await store.takeUnitFault('task/001', ['second'])
  }
  await fill()
  assert.ok(await store.deleteFault('all'))
  assert.equal(await listUnits(), [{ unit_id: 'task/001' }], 'a unit is not counted again by the other rule')
  assert.ok(await store.deleteFault('second'))
  assert.equal(await listUnits(), [])
  await fill()
  assert.is(await store.clearFaults(), 2)
  assert.equal(await listUnits(), [])
})

faults('forgets the units of tasks that are deleted or pruned', async () => {
  await store.insertFault(newFault('all'))
  const finished = newDiary({ createdAt: new Date(1), reused: { files: {} } })
  const [kept, deleted, pruned] = [newAvatar(), newAvatar(), finished]
  for (const each of [kept, deleted, pruned]) {
    await store.createTask(each, null)
    await store.takeUnitFault(`${each.id}/000`, ['all'])
  }
  await store.beginDelete(deleted.id, ['pending'])
  await store.finishDelete(deleted.id)
  for await (const _ of pruneTasks(database.openUpkeep(), { before: 8_000_000_000_000, identityAssets: false })) {
    // Each round deletes.
  }
  assert.equal(await database.query('select unit_id from fault_units'), [{ unit_id: `${kept.id}/000` }])
})

faults.run()
