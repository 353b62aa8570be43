import type { Route } from '../../contract/route.js'
import type { MediaPorts } from '../../media/media-ports.js'
import { type Model, type TaskRequest, toSpending } from '../../media/task-base.js'
import type { Task, TaskStatus, UnitView } from '../../ports/tasks.js'
import type { Call } from '../pipeline/handler.js'

/** Returns the signed address of a stored file, for the current answer. */
export type SignUrl = (objectKey: string) => string

/** The settings of a response that presented records depend on. */
export interface Presenting {
  readonly sign: SignUrl
  /** The polling interval for unfinished tasks. */
  readonly pollAfterSeconds: number
}

/**
 * Presents the first fields of a task record. The others are assigned to it: V8 takes 1.4 us for each member after a spread.
 * Source: gateway contract, 2.3 and 2.5.
 */
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

/** True if the task can still change. */
export function isUnfinished(status: TaskStatus): boolean {
  return unfinished.includes(status)
}

/** Presents the last fields of a task record. `created_at` and `updated_at` are additions: the contract shows no times. */
export function presentProgress(task: Task, { pollAfterSeconds }: Presenting) {
  return {
    poll_after_seconds: isUnfinished(task.status) ? pollAfterSeconds : null,
    ...presentTimes(task),
  }
}

/** Presents the failure of a unit. Source: gateway contract, 2.3 and 2.5. */
export function presentFailure(failure: UnitView['failure']) {
  return { error_code: failure?.code ?? null, error_message: failure?.message ?? null }
}

export function presentTimes({ createdAt, updatedAt }: Pick<Task, 'createdAt' | 'updatedAt'>) {
  return { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() }
}

/** The parts of a call that signed addresses depend on. */
type AddressContext = Pick<Call<Route>, 'findBaseUrl' | 'now'>

export function signerFor({ objects }: MediaPorts, { findBaseUrl, now }: AddressContext): SignUrl {
  const baseUrl = findBaseUrl()
  return (objectKey) => objects.signUrl(objectKey, baseUrl, now)
}

export function presentingFor(ports: MediaPorts, context: AddressContext): Presenting {
  return { sign: signerFor(ports, context), pollAfterSeconds: ports.pollAfterSeconds }
}

/** Source: gateway contract, 4.3 and 4.8. */
export function presentTaskCreated(requestId: string, taskId: string, message: string, pollAfterSeconds: number) {
  return {
    request_id: requestId,
    task_id: taskId,
    status: 'pending' as const,
    message,
    poll_after_seconds: pollAfterSeconds,
  }
}

type TaskCall = Pick<Call<Route>, 'requestId' | 'callId' | 'traceparent' | 'key' | 'reservation'>

/** Describes a call that asks for a task. Its response is stored if the caller sent an `Idempotency-Key`. */
export function toTaskRequest<Created>(
  { requestId, callId, traceparent, key, reservation }: TaskCall,
  model: Model,
  present: (created: Created) => unknown,
): TaskRequest<Created> {
  const toAnswer = reservation && ((created: Created) => ({ reservation, body: present(created) }))
  return { requestId, callId, traceparent, keyId: key.id, spending: toSpending(model, key.budget), toAnswer }
}
