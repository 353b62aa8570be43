import type { Task, TaskStatus, UnitView } from '../../ports/tasks.js'

/** The address of a stored file, signed for the answer it stands in. */
export type SignUrl = (objectKey: string) => string

/** What an answer adds to a record. */
export interface Presenting {
  readonly sign: SignUrl
  /** How long callers are asked to wait while a task is unfinished. */
  readonly pollAfterSeconds: number
}

/** What the records of tasks have in common. Source: gateway contract, 2.3 and 2.5. */
export function presentRecord(task: Task, pollAfterSeconds: number) {
  return {
    request_id: task.requestId,
    task_id: task.id,
    user_id: task.owner.userId,
    pet_id: task.owner.petId,
    provider: task.provider,
    model: task.model,
    poll_after_seconds: unfinished.includes(task.status) ? pollAfterSeconds : null,
  }
}

const unfinished: readonly TaskStatus[] = ['pending', 'processing', 'deleting']

/** Of a pose. Source: gateway contract, 2.3 and 2.5. */
export function presentFailure(failure: UnitView['failure']) {
  return { error_code: failure?.code ?? null, error_message: failure?.message ?? null }
}

export function presentTimes({ createdAt, updatedAt }: Pick<Task, 'createdAt' | 'updatedAt'>) {
  return { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() }
}
