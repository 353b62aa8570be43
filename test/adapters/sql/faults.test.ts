import * as assert from 'uvu/assert'
import type { NewFault } from '../../../src/ports/faults.js'
import type { Store } from '../../../src/ports/store.js'
import { bundleProgram } from '../../helpers/child.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'

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

faults('keeps rules as they were added, the oldest first', async () => {
  await store.insertFault(newFault('b', { createdAt: new Date(2000), times: 3, every: 2, expiresAt: new Date(9000) }))
  await store.insertFault(newFault('a', { fields: { user: 'a,b', 'never-ends': 'true' } }))
  const other = await database.open()
  assert.equal(await other.listFaults(), [
    { ...newFault('a', { fields: { user: 'a,b', 'never-ends': 'true' } }), matched: 0, fired: 0 },
    {
      ...newFault('b', { createdAt: new Date(2000), times: 3, every: 2, expiresAt: new Date(9000) }),
      matched: 0,
      fired: 0,
    },
  ])
  assert.ok(await other.deleteFault('a'))
  assert.not.ok(await other.deleteFault('a'))
  assert.is(await store.clearFaults(), 1)
  assert.equal(await other.listFaults(), [])
})

faults('fires exactly as often as it may in two processes at once', async () => {
  await store.insertFault(newFault('few', { times: 25 }))
  await store.insertFault(newFault('third', { every: 3 }))
  const start = await bundleProgram('adapters/sql/counting-faults.ts', database.folder)
  const children = [start([database.address, '60']), start([database.address, '60'])]
  const fired = (await Promise.all(children.map(({ ready }) => ready))).map((line) => JSON.parse(line))
  await Promise.all(children.map(({ ended }) => ended))
  const sum = (name: string) => fired.reduce((total, counts) => total + counts[name], 0)
  assert.is(sum('few'), 25)
  assert.is(sum('third'), 40)
  assert.equal(
    (await store.listFaults()).map(({ id, matched, fired }) => [id, matched, fired]),
    [
      ['few', 25, 25],
      ['third', 120, 40],
    ],
  )
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
})

faults('does not count a unit again for which no rule fired', async () => {
  await store.insertFault(newFault('every', { every: 2 }))
  assert.is(await store.takeUnitFault('task/000', ['every']), undefined)
  assert.is(await store.takeUnitFault('task/000', ['every']), undefined)
  assert.is(await store.takeUnitFault('task/001', ['every']), 'every')
})

faults.run()
