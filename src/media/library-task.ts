import type { DiaryStore } from '../ports/diary.js'
import type { Task, TaskStatus } from '../ports/tasks.js'
import { settleLibrary } from './status.js'

/** The state of a library task, derived from its diary tasks; not stored. */
export interface Library {
  readonly task: Task
  readonly children: readonly Task[]
  readonly status: TaskStatus
  readonly successCount: number
  readonly failedCount: number
  readonly updatedAt: Date
}

/** @NOTE contract: of a library task only four fields are shown. */
export async function getLibrary(store: Pick<DiaryStore, 'listChildren'>, task: Task): Promise<Library> {
  const children = await store.listChildren(task.id)
  const count = (status: TaskStatus) => children.filter((child) => child.status === status).length
  return {
    task,
    children,
    status: settleLibrary(children),
    successCount: count('success'),
    failedCount: count('failed'),
    updatedAt: new Date(Math.max(...children.map(({ updatedAt }) => updatedAt.getTime()))),
  }
}
