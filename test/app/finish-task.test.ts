// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { finishTask } from '../../src/app/media.js'
import type { Task, TaskStatus } from '../../src/ports/tasks.js'

const finish = suite('finishTask')

finish('polls a task until it is final or the time is over', async () => {
  const statuses: TaskStatus[] = ['pending', 'processing', 'failed', 'pending']
  const store = { findTask: async (id: string) => ({ id, status: statuses.shift() }) as Task }
  assert.is((await finishTask(store, 'diary_1', 10_000))?.status, 'failed')
  assert.is(await finishTask(store, 'diary_1', 0), undefined)
})

finish.run()
