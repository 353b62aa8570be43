// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { finishTask } from '../../src/app/media.js'
import type { Task, TaskStatus } from '../../src/ports/tasks.js'

const finish = suite('finishTask')

/** A store whose task has one of these states per poll. */
function createStore(statuses: TaskStatus[]) {
  let status: TaskStatus | undefined
  return {
    async findTask(id: string) {
      status = statuses.shift() ?? status
      return { id, status } as Task
    },
  }
}

finish('returns the task when it is final', async () => {
  for (const last of ['success', 'failed'] as const) {
    const task = await finishTask(createStore(['pending', 'processing', last]), 'diary_1', 10_000)
    assert.is(task?.status, last)
  }
})

finish('gives up in time', async () => {
  assert.is(await finishTask(createStore(['pending']), 'diary_1', 0), undefined)
})

finish.run()
