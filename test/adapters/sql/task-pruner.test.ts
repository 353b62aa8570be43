import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import { openTaskPruner } from '../../../src/adapters/sql/upkeep/task-pruner.js'
import type { NewTask } from '../../../src/ports/tasks.js'
import { newDiary } from '../../helpers/tasks.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const prune = suite('pruning of tasks')

/** Finished pictures. */
const newPictures = (count: number, parentId: string | null): NewTask[] =>
  Array.from({ length: count }, () =>
    newDiary({ parentId, createdAt: new Date(1), reused: { files: { picture: 'ai-gateway/diary/one.png' } } }),
  )

prune('deletes all chosen tasks in several commits, and libraries with their pictures', async () => {
  const place = openTemporaryFolder()
  const file = join(place.folder, 'svc.db')
  const store = await openSqliteStore(file)
  const sizes = { small: 3, whole: 199, large: 450 }
  for (const [id, size] of Object.entries(sizes)) {
    const library = newDiary({ id, kind: 'diary_library', createdAt: new Date(1), units: [] })
    await store.createTask(library, null, undefined, newPictures(size, id))
  }
  for (const task of newPictures(250, null)) await store.createTask(task, null)
  const young = newDiary()
  await store.createTask(young, null)

  const pruner = openTaskPruner(file, { before: 1000, identityAssets: false })
  // A picture that is created meanwhile needs its library.
  await store.createTask(newDiary({ id: 'late', parentId: 'whole' }), null)
  assert.equal(pruner.remove(), { diary: 902, diary_library: 2 })
  pruner.close()

  const database = new Database(file)
  assert.equal(database.prepare('select id from tasks order by id').pluck().all(), [young.id, 'late', 'whole'].sort())
  database.close()
  assert.is((await store.listDiaryTasks(undefined, 1, 10)).total, 2)
  await store.close()
  place.close()
})

prune.run()
