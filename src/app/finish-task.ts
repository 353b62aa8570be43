import { setTimeout as delay } from 'node:timers/promises'
import { isFinalStatus } from '../media/status.js'
import type { Task, TaskStore } from '../ports/tasks.js'

/** A look is one row by its ID, from whichever process ends the task. */
const lookMs = 20

/** Answers a task when it is final, or undefined if it is not within `boundMs`. */
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
    await delay(lookMs)
  }
}
