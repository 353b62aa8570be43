// run: PostgreSQL, fleet
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../src/errors.js'
import type { Store } from '../../../src/ports/store.js'
import type { NewPicture, NewTask } from '../../../src/ports/tasks.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'
import { newAvatar, newDiary } from '../../helpers/tasks.js'

const diary = storeSuite('diary store', { isPooled: true })
let database: TestDatabase
let store: Store
diary.before.each(async (created) => {
  database = created
  store = await database.open()
})

const start = Date.parse('2026-10-20T08:00:00Z')
const at = (seconds: number) => new Date(start + seconds * 1000)
const made = { reused: { files: { picture: 'ai-gateway/diary/a.png' } } }
const owner = (userId: string, petId = 'p') => ({ userId, petId, missing: [] })

async function create(change: Partial<NewTask> = {}): Promise<NewTask> {
  const task = newDiary(change)
  await store.createTask(task, 'pet-diary')
  return task
}

const idsOf = (tasks: readonly { readonly id: string }[]) => tasks.map(({ id }) => id)

diary('lists the pending pictures of a library, and not its row, which stays pending', async () => {
  const library = newAvatar({ id: 'diary_lib_1', kind: 'diary_library', units: [] })
  const child = newDiary({ parentId: library.id, units: ['a'] })
  await store.createTask(library, 'pet-diary', undefined, [child])
  assert.equal(idsOf(await store.listTasks({ status: 'pending' }, 9)), [child.id])
  assert.equal(idsOf(await store.listTasks({}, 9)).sort(), [child.id, library.id].sort())
})

diary('creates all of a library or nothing', async () => {
  const library = newAvatar({ id: 'diary_lib_1', kind: 'diary_library', units: [] })
  const twice = newDiary({ parentId: library.id })
  const created = store.createTask(library, 'pet-diary', undefined, [twice, twice])
  assert.is(await created.then(String).catch(() => 'refused'), 'refused')
  assert.is(await store.findTask(library.id), undefined)
  assert.is((await database.query('select * from usage_entries')).length, 0)
  assert.is((await store.listDiaryTasks(undefined, 1, 1)).total, 0)
})

diary('creates libraries of a hundred tasks concurrently, each complete', async () => {
  const libraries = Array.from({ length: 5 }, (_, place) =>
    newAvatar({ id: `diary_lib_${place}`, kind: 'diary_library', units: [] }),
  )
  const create = (library: NewTask) => {
    const children = Array.from({ length: 100 }, () => newDiary({ parentId: library.id }))
    return store.createTask(library, 'pet-diary', undefined, children)
  }
  await Promise.all([...libraries.map(create), store.createTask(newAvatar(), 'pet-avatar')])
  for (const { id } of libraries) assert.is((await store.listChildren(id)).length, 100)
  assert.is((await database.query('select * from usage_entries')).length, 6)
})

diary('finds the newest picture of the pet for each recipe', async () => {
  const traits = (recipe: string) => ({ picture: { species: 'dog', sceneId: 's', recipe }, owner: owner('u1') })
  await create({ ...made, ...traits('a'), createdAt: at(0) })
  const newest = await create({ ...made, ...traits('a'), createdAt: at(1) })
  await create({ ...traits('a'), createdAt: at(2) })
  const other = await create({ ...made, ...traits('b') })
  await create({ ...made, ...traits('c'), owner: owner('u2') })
  await create({ ...made, ...traits('d'), owner: owner('u1', 'other') })
  const found = await store.findPictures(owner('u1'), ['a', 'b', 'c', 'd', 'e'])
  assert.equal([...found].map(([recipe, { id }]) => [recipe, id]).sort(), [
    ['a', newest.id],
    ['b', other.id],
  ])
  assert.is((await store.findPictures(owner('u1'), [])).size, 0)
})

/** A task for the shared picture of a recipe, by its model. */
const newShared = (recipe: string, change: Partial<NewTask> = {}): NewPicture => ({
  ...newDiary({ owner: owner('shared', 'shared'), ...change }),
  picture: { species: 'dog', sceneId: 's', recipe },
})
const tasksOf = async () => (await database.query('select id from tasks order by id')).map(({ id }) => String(id))

diary('claims the units of shared pictures first, and two more than the holder has slots', async () => {
  await store.createTask(newAvatar({ units: ['lying', 'sitting', 'walking'] }), null)
  const shared: string[] = []
  const claim = async () => {
    const own = { holderId: 'nobody', limit: 10, leaseMs: 60_000, slots: {}, ownSlots: { scripted: 2 } }
    return (await store.claimUnits(own)).map(({ task }) => (shared.includes(task.id) ? 'shared' : 'avatar'))
  }
  assert.equal(await claim(), ['avatar', 'avatar'])
  for (const recipe of ['a', 'b', 'c']) shared.push(await store.createSharedTask(newShared(recipe)))
  assert.equal(await claim(), ['shared', 'shared'])
  assert.equal(await claim(), [])
})

diary('finds the pet of a call that created a shared picture', async () => {
  const task = newShared('a', { callId: 'c1' })
  await store.createSharedTask(task)
  const call = { requestId: 'r', callId: 'c1', keyId: 'k', endpoint: 'e', createdAt: at(0), owner: owner('u', 'p1') }
  await store.saveInsights([], call)
  assert.equal(await store.findSubjects(['c1']), new Map([['c1', { petId: 'p1', taskId: task.id }]]))
})

diary('replaces a lost shared picture, once', async () => {
  const first = await store.createSharedTask(newShared('a'))
  const claim = { holderId: 'nobody', limit: 1, leaseMs: 60_000, slots: { scripted: 1 } }
  const [unit] = await store.claimUnits(claim)
  const delivered = { status: 'success', output: made.reused, usage: null } as const
  await store.settleUnit(unit?.lease ?? '', delivered, () => 'success')
  const second = await store.createSharedTask(newShared('a'), first)
  assert.is.not(second, first)
  assert.is(await store.createSharedTask(newShared('a'), first), second)
  assert.is(await store.createSharedTask(newShared('a')), second)
  assert.equal(await tasksOf(), [first, second].sort())
})

diary('distinguishes shared pictures by recipe and by model', async () => {
  const ids = [
    await store.createSharedTask(newShared('a')),
    await store.createSharedTask(newShared('b')),
    await store.createSharedTask(newShared('a', { provider: 'second' })),
  ]
  assert.is(new Set(ids).size, 3)
  assert.is(await store.createSharedTask(newShared('a')), ids[0])
})

diary('charges a budget for a new shared picture, not for an existing one', async () => {
  const spending = { unitMicros: 100, limits: [{ of: 'key', micros: 100, per: 'day' } as const] }
  const first = await store.createSharedTask(newShared('a', { spending }))
  assert.is(await store.createSharedTask(newShared('a', { spending })), first)
  const refusal = await store.createSharedTask(newShared('b', { spending })).catch((error) => error)
  assert.is(isSvcError(refusal) && refusal.code, 'rate_limit_exceeded')
  assert.equal(await tasksOf(), [first])
  // A refused task does not reserve the picture.
  const allowed = newShared('b')
  assert.is(await store.createSharedTask(allowed), allowed.id)
})

diary.run()
