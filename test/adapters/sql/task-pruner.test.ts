// run: PostgreSQL, fleet
import * as assert from 'uvu/assert'
import { dropNamed, dropNamedByOwner } from '../../../src/adapters/sql/upkeep/named-objects.js'
import { findPrunable, pruneTasks } from '../../../src/adapters/sql/upkeep/task-pruner.js'
import type { UpkeepDatabase } from '../../../src/adapters/sql/upkeep/upkeep-database.js'
import type { NewTask } from '../../../src/ports/tasks.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'
import { newAvatar, newDiary, sourceKey } from '../../helpers/tasks.js'

const prune = storeSuite('pruning of tasks', { isPooled: true })
let database: TestDatabase
let upkeep: UpkeepDatabase
prune.before.each((given) => {
  database = given
  upkeep = given.openUpkeep()
})

const picture = 'ai-gateway/diary/one.png'
/** Finished pictures. */
const newPictures = (count: number, parentId: string | null): NewTask[] =>
  Array.from({ length: count }, () => newDiary({ parentId, createdAt: new Date(1), reused: { files: { picture } } }))
/** They ended when they were created, by the clock of the database. */
const old = { before: 8_000_000_000_000, identityAssets: false }

prune('deletes libraries with their pictures, and keeps one that gets another picture', async () => {
  const store = await database.open()
  const sizes = { small: 3, whole: 40, large: 450 }
  for (const [id, size] of Object.entries(sizes)) {
    const library = newDiary({ id, kind: 'diary_library', createdAt: new Date(1), units: [] })
    await store.createTask(library, null, undefined, newPictures(size, id))
  }
  for (const task of newPictures(250, null)) await store.createTask(task, null)
  const young = newDiary()
  await store.createTask(young, null)
  await store.createTask(newDiary({ id: 'late', parentId: 'whole' }), null)

  const planned = await findPrunable(upkeep, old)
  assert.equal(planned.tasks, { diary: 703, diary_library: 2 })
  assert.equal(planned.keys, new Set())
  const removed: Record<string, number> = {}
  for await (const { tasks, keys } of pruneTasks(upkeep, old)) {
    assert.equal(keys, new Set())
    for (const [kind, count] of Object.entries(tasks)) removed[kind] = (removed[kind] ?? 0) + count
  }
  assert.equal(removed, planned.tasks)
  const rest = await database.query('select id, kind from tasks order by id')
  assert.equal(
    rest.filter(({ kind }) => kind === 'diary_library'),
    [{ id: 'whole', kind: 'diary_library' }],
  )
  assert.is(rest.length, 43)
  assert.is((await store.listDiaryTasks(undefined, 1, 10)).total, 42)
  assert.equal(await findPrunable(upkeep, old), { tasks: {}, keys: new Set() })
})

prune('finds the objects that no row names any more, also in columns of later versions', async () => {
  const store = await database.open()
  for (const task of newPictures(3, null)) await store.createTask(task, null)
  const keys = [picture, 'ai-gateway/diary/other.png', 'ai-gateway/photos/later.jpg']
  await database.query('create table later (note text)')
  await database.query("insert into later values ('see ai-gateway/photos/later.jpg')")
  const search = async () => {
    const named = new Set(keys)
    await dropNamed(upkeep, named)
    return [...named]
  }
  assert.equal(await search(), [keys[1]])
  for await (const { keys } of pruneTasks(upkeep, old)) assert.equal(keys, new Set([sourceKey, picture]))
  assert.equal(await search(), [picture, keys[1]])
  await database.query('drop table later')
})

prune('asks the task whose ID an object has, in place of all rows', async () => {
  const store = await database.open()
  const { id } = newAvatar()
  const own = `ai-gateway/photos/${id}.jpg`
  await store.createTask(newAvatar({ id, input: { sourceKey: own } }), null)
  const strange = [`ai-gateway/avatars/${id}/sitting.png`, 'ai-gateway/photos/avatar_none.jpg', 'ai-gateway/x']
  assert.equal(await dropNamedByOwner(upkeep, [own, ...strange]), strange)
})

prune.run()
