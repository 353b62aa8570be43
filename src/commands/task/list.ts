import { openStore } from '../../app/storage/open-store.js'
import { loadConfig } from '../../config.js'
import { SvcError } from '../../errors.js'
import { getLibrary } from '../../media/library-task.js'
import type { Store } from '../../ports/store.js'
import type { Task, TaskStatus } from '../../ports/tasks.js'
import { findStdoutWidth } from '../../runtime/style.js'
import { type Column, renderTable } from '../../text/table.js'
import { printAnswer } from '../client/run.js'
import type { StorageFlags } from '../storage-options.js'

export interface TaskListFlags extends StorageFlags {
  readonly userId?: string
  readonly petId?: string
  readonly status?: TaskStatus
  readonly limit: string
  readonly json?: true
}

export const taskStatuses: readonly TaskStatus[] = ['pending', 'processing', 'success', 'partial_success', 'failed']

const columns: readonly Column[] = [
  { title: 'task' },
  { title: 'status' },
  { title: 'done', isNumber: true },
  { title: 'user', isCut: true },
  { title: 'pet', isCut: true },
  { title: 'created', isLeftOut: true },
  { title: 'took', isNumber: true },
]

/** Prints the newest tasks of the data folder. */
export async function printTasks({ userId, petId, status, limit, ...flags }: TaskListFlags): Promise<0> {
  const store = await openStore(loadConfig(flags), { mayCreate: false })
  try {
    const listed = await store.listTasks({ userId, petId, status }, readLimit(limit))
    const tasks = await Promise.all(listed.map((task) => withStatus(store, task)))
    const lines =
      tasks.length === 0 ? ['There is no such task.'] : renderTable(columns, tasks.map(toRow), findStdoutWidth())
    return printAnswer(flags, { tasks: tasks.map(presentTask) }, lines)
  } finally {
    await store.close()
  }
}

/** The row of a library stays pending: its status is that of its pictures. */
async function withStatus(store: Store, task: Task): Promise<Task> {
  if (task.kind !== 'diary_library' || task.status !== 'pending') return task
  return { ...task, status: (await getLibrary(store, task)).status }
}

function readLimit(text: string): number {
  if (/^\d{1,4}$/.test(text) && text !== '0') return Number(text)
  throw new SvcError('invalid_request', `--limit is ${JSON.stringify(text)}; it must be a number from 1 to 9999.`)
}

const countDone = ({ units }: Task) => units.filter(({ status }) => status === 'success').length

/** A library of diary pictures has no units of its own. */
function toRow(task: Task): string[] {
  const { id, status, units, owner, createdAt, finishedAt } = task
  const done = units.length === 0 ? '' : `${countDone(task)}/${units.length}`
  const tookMs = finishedAt === null ? undefined : finishedAt.getTime() - createdAt.getTime()
  const took = tookMs === undefined ? '' : `${(tookMs / 1000).toFixed(1)} s`
  return [id, status, done, owner.userId, owner.petId, `${createdAt.toISOString().slice(0, 19)}Z`, took]
}

function presentTask(task: Task): Record<string, unknown> {
  const { id, kind, status, units, owner, createdAt, finishedAt } = task
  return {
    ...{ task_id: id, kind, status, user_id: owner.userId, pet_id: owner.petId },
    ...{ done_count: countDone(task), total_count: units.length, created_at: createdAt, finished_at: finishedAt },
  }
}
