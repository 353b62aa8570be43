// run: PostgreSQL, fleet
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../src/errors.js'
import type { UnitOutcome } from '../../../src/ports/queue.js'
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

const query = (text: string) => database.query(text)

const idsOf = (tasks: readonly { readonly id: string }[]) => tasks.map(({ id }) => id)

diary('lists tasks of one user or of all, newest first, then by descending ID', async () => {
  const one = await create({ owner: owner('u1'), createdAt: at(0) })
  const two = await create({ owner: owner('u2'), createdAt: at(1) })
  const [three, four] = [await create({ owner: owner('u1'), createdAt: at(2) }), await create({ createdAt: at(2) })]
  await store.createTask(newAvatar({ owner: owner('u1') }), 'pet-avatar')
  assert.equal(idsOf((await store.listDiaryTasks('u1', 1, 10)).items), [three.id, one.id])
  const all = await store.listDiaryTasks(undefined, 1, 3)
  assert.equal([all.total, ...idsOf(all.items)], [4, ...[three.id, four.id].sort().reverse(), two.id])
  assert.equal(await store.listDiaryTasks(undefined, 3, 3), { total: 4, items: [] })
  assert.is((await store.listDiaryTasks('u1', 1, 1)).total, 2)
  assert.equal(await store.listDiaryTasks('nobody', 1, 1), { total: 0, items: [] })
})

diary('creates a library with its tasks, and counts one request', async () => {
  const library = newAvatar({ id: 'diary_lib_1', kind: 'diary_library', units: [] })
  const children = ['a', 'b', 'c'].map((name) => newDiary({ parentId: library.id, units: [name] }))
  await store.createTask(library, 'pet-diary', undefined, children)
  assert.equal(idsOf(await store.listChildren(library.id)), idsOf(children))
  assert.is((await store.findTask(library.id))?.kind, 'diary_library')
  assert.is((await store.listDiaryTasks(undefined, 1, 10)).total, 3)
  assert.is((await query('select * from usage_entries')).length, 1)
  assert.is((await query('select * from units')).length, 3)
})

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
  assert.is((await query('select * from usage_entries')).length, 0)
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
  assert.is((await query('select * from usage_entries')).length, 6)
})

diary('reuses an earlier picture: nothing is queued, and the task is finished', async () => {
  const task = await create(made)
  const found = await store.findTask(task.id)
  assert.is(found?.status, 'success')
  assert.equal(found?.units[0]?.output, made.reused)
  assert.equal(found?.finishedAt, task.createdAt)
  assert.is((await query('select * from units')).length, 0)
  assert.is((await query('select * from usage_ledger')).length, 0)
})

diary('books no usage without an endpoint', async () => {
  await store.createTask(newDiary(), null)
  assert.is((await query('select * from usage_entries')).length, 0)
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

diary('finds the newest library picture of the pet and species for each scene', async () => {
  const library = (sceneId: string, species = 'dog') => ({
    ...made,
    parentId: 'diary_lib_1',
    owner: owner('u1'),
    picture: { species, sceneId, recipe: 'r' },
  })
  await create({ ...library('a'), createdAt: at(0) })
  const newest = await create({ ...library('a'), createdAt: at(1) })
  await create({ ...library('a'), reused: undefined, createdAt: at(2) } as Partial<NewTask>)
  await create({ ...library('a'), parentId: null, createdAt: at(3) })
  await create({ ...library('a', 'cat'), createdAt: at(4) })
  const b = await create(library('b'))
  await create(library('c'))
  assert.equal(
    idsOf(await store.findLibraryPictures(owner('u1'), 'dog', ['a', 'b', 'none'])).sort(),
    [newest.id, b.id].sort(),
  )
  assert.equal(await store.findLibraryPictures(owner('u2'), 'dog', ['a']), [])
})

diary('stores a selection and books its request', async () => {
  const selected = { userId: 'temporary', petId: 'p', missing: ['user_id'] as const }
  const call = { requestId: 'r', callId: 'c', keyId: 'k', endpoint: 'pet-diary', createdAt: at(0) }
  await store.saveSelection(
    {
      ...{ id: 'sel_1', owner: selected, diaryId: 'd', date: '2026-10-20', imageId: 'img_1', sceneId: 's' },
      ...{ score: 0.5, matched: ['mood'] },
    },
    { ...call, owner: selected },
  )
  assert.equal(await query('select id, diary_id, day, image_id, score, matched from selections'), [
    { id: 'sel_1', diary_id: 'd', day: '2026-10-20', image_id: 'img_1', score: 0.5, matched: '["mood"]' },
  ])
  assert.equal(await query('select call_id, user_id, missing, missing_id, model from usage_entries'), [
    { call_id: 'c', user_id: 'temporary', missing: '["user_id"]', missing_id: 1, model: '' },
  ])
})

/** A task for the shared picture of a recipe, by its model. */
const newShared = (recipe: string, change: Partial<NewTask> = {}): NewPicture => ({
  ...newDiary({ owner: owner('shared', 'shared'), ...change }),
  picture: { species: 'dog', sceneId: 's', recipe },
})
const tasksOf = async () => (await database.query('select id from tasks order by id')).map(({ id }) => String(id))

/** Settles all units with one outcome. */
async function settleAll(outcome: UnitOutcome): Promise<void> {
  const claim = { holderId: 'nobody', limit: 10, leaseMs: 60_000, slots: { scripted: 10 } }
  for (const { lease } of await store.claimUnits(claim)) await store.settleUnit(lease, outcome, () => outcome.status)
}
const failed: UnitOutcome = { status: 'failed', failure: { code: 'provider_error', message: '' }, usage: null }
const delivered: UnitOutcome = { status: 'success', output: made.reused, usage: null }

diary('creates a shared picture once for concurrent requests of several processes', async () => {
  const other = await database.open()
  const asked = Array.from({ length: 10 }, (_, place) => (place % 2 === 0 ? store : other))
  const ids = await Promise.all(asked.map((from) => from.createSharedTask(newShared('a'))))
  await other.close()
  assert.equal(await tasksOf(), [...new Set(ids)])
  assert.is((await tasksOf()).length, 1)
  assert.is((await database.query('select * from units')).length, 1)
  assert.is((await database.query('select * from usage_entries')).length, 0)
  assert.is((await store.listDiaryTasks('shared', 1, 10)).total, 1)
})

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

diary('finds a shared picture of another process unless it has failed', async () => {
  const first = await store.createSharedTask(newShared('a'))
  await store.close()
  store = await database.open()
  assert.is(await store.createSharedTask(newShared('a')), first)
  await settleAll(failed)
  const second = await store.createSharedTask(newShared('a'))
  assert.is.not(second, first)
  await settleAll(delivered)
  assert.is(await store.createSharedTask(newShared('a')), second)
  assert.equal(await tasksOf(), [first, second].sort())
})

diary('replaces a lost shared picture, once', async () => {
  const first = await store.createSharedTask(newShared('a'))
  await settleAll(delivered)
  const second = await store.createSharedTask(newShared('a'), first)
  assert.is.not(second, first)
  assert.is(await store.createSharedTask(newShared('a'), first), second)
  assert.is(await store.createSharedTask(newShared('a')), second)
  assert.equal(await tasksOf(), [first, second].sort())
})

diary('claims a shared picture before units that were due earlier, and does not count it as late', async () => {
  const earlier = newAvatar({ units: ['lying', 'sitting'] })
  await store.createTask(earlier, 'pet-avatar')
  const shared = await store.createSharedTask(newShared('a'))
  const [queue] = (await store.measureQueue()).queues
  assert.ok((queue?.oldestDueMs ?? 0) < 3_600_000)
  const { provider } = earlier
  const claim = () => store.claimUnits({ holderId: 'nobody', limit: 1, leaseMs: 60_000, slots: { [provider]: 9 } })
  const claimed = [...(await claim()), ...(await claim())]
  assert.equal(
    claimed.map(({ task }) => task.id),
    [shared, earlier.id],
  )
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

const ofRecipe = "status = 'success' and recipe = 'r' and pet_id = 'p' and user_id = 'u'"
const ofScene = "parent_id is not null and pet_id = 'p' and user_id = 'u' and species = 'dog' and scene_id = 's'"
const plans: readonly (readonly [what: string, where: string, index: string])[] = [
  ['a list of all', 'true', 'tasks_diary'],
  ['a list of one user', "user_id = 'u'", 'tasks_diary_by_user'],
  ['a recipe', ofRecipe, 'tasks_by_recipe'],
  ['a scene', `status = 'success' and ${ofScene}`, 'tasks_by_scene'],
]
for (const [what, where, index] of plans) {
  diary.onSqlite(`finds ${what} by an index without sorting`, async () => {
    const statement = `select id from tasks where kind = 'diary' and ${where} order by created_at desc, id desc limit 20`
    const steps = (await query(`explain query plan ${statement}`)).map(({ detail }) => String(detail))
    assert.is(steps.length, 1, steps.join('; '))
    assert.match(steps[0] ?? '', new RegExp(`INDEX ${index} |INDEX ${index}$`))
  })
}

diary.run()
