import type { IdempotentAnswer } from '../ports/idempotency.js'
import type { Spending } from '../ports/money.js'
import type { NewTask, Owner } from '../ports/tasks.js'

/** The call that asks for a task, and what its API key and its pet may spend. */
export interface TaskRequest<Created = string> {
  readonly requestId: string
  readonly callId: string
  readonly traceparent?: string | undefined
  readonly keyId: string
  readonly spending?: Spending | undefined
  /** The answer to store for idempotent retries; it names the task. */
  readonly toAnswer?: ((created: Created) => IdempotentAnswer) | undefined
}

/** The fields that all tasks of a request share. */
export type TaskBase = Pick<
  NewTask,
  | 'requestId'
  | 'callId'
  | 'traceparent'
  | 'keyId'
  | 'owner'
  | 'provider'
  | 'model'
  | 'createdAt'
  | 'deadlineAt'
  | 'spending'
>

/** A task fails permanently after a day, so that a machine that was off overnight still completes its work. */
const lifeMs = 24 * 3_600_000

export function toTaskBase(
  { requestId, callId, traceparent, keyId, spending }: Omit<TaskRequest, 'toAnswer'>,
  owner: Owner,
  provider: string,
  model: string,
  now: Date,
): TaskBase {
  const deadlineAt = new Date(now.getTime() + lifeMs)
  const origin = { requestId, callId, traceparent, keyId }
  return { ...origin, owner, provider, model, createdAt: now, deadlineAt, spending }
}
