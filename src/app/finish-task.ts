import { setTimeout as delay } from 'node:timers/promises'
import { isFinalStatus } from '../media/status.js'
import type { Task, TaskStore } from '../ports/tasks.js'

/** Polled, because any process may finish the task. A poll reads one row by its ID. */
const pollMs = 20

/** Returns a task when it is final, or undefined if it is not final within `boundMs`. */
export async function finishTask(
  store: Pick<TaskStore, 'findTask'>,
  id: string,
  boundMs: number,
): Promise<Task | undefined> {
  const giveUpAt = performance.now() + boundMs
  for (;;) {
    const task = await store.findTask(id)
    if (task !== undefined && isFinalStatus(task.status)) return task
    if (performance.now() >= giveUpAt) return undefined
    await delay(pollMs)
  }
}
