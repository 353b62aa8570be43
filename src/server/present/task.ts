import type { Task, TaskStatus, UnitView } from '../../ports/tasks.js'

/** The address of a stored file, signed for the answer it stands in. */
export type SignUrl = (objectKey: string) => string

/** What an answer adds to a record. */
export interface Presenting {
  readonly sign: SignUrl
  /** How long callers are asked to wait while a task is unfinished. */
  readonly pollAfterSeconds: number
}

/** What the records of tasks begin with. Source: gateway contract, 2.3 and 2.5. */
export function presentRecord(task: Task) {
  return {
    request_id: task.requestId,
    task_id: task.id,
    status: task.status,
    user_id: task.owner.userId,
    pet_id: task.owner.petId,
    provider: task.provider,
    model: task.model,
  }
}

const unfinished: readonly TaskStatus[] = ['pending', 'processing', 'deleting']

/** Whether it is worth asking again. */
export function isUnfinished(status: TaskStatus): boolean {
  return unfinished.includes(status)
}

/** What they end with. `created_at` and `updated_at` are beyond the contract, which shows no times. */
export function presentProgress(task: Task, { pollAfterSeconds }: Presenting) {
  return {
    poll_after_seconds: isUnfinished(task.status) ? pollAfterSeconds : null,
    ...presentTimes(task),
  }
}

/** Of a pose. Source: gateway contract, 2.3 and 2.5. */
export function presentFailure(failure: UnitView['failure']) {
  return { error_code: failure?.code ?? null, error_message: failure?.message ?? null }
}

export function presentTimes({ createdAt, updatedAt }: Pick<Task, 'createdAt' | 'updatedAt'>) {
  return { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() }
}
