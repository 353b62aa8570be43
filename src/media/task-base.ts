import type { IdempotentAnswer } from '../ports/idempotency.js'
import type { Budget, Spending } from '../ports/money.js'
import type { Provider } from '../ports/provider.js'
import type { Owner } from '../ports/tasks.js'

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
export type TaskBase = ReturnType<typeof toTaskBase>

/** A task fails permanently after a day, so that a machine that was off overnight still completes its work. */
const lifeMs = 24 * 3_600_000

export function toTaskBase(
  { requestId, callId, traceparent, keyId, spending }: Omit<TaskRequest, 'toAnswer'>,
  owner: Owner,
  provider: string,
  model: string,
  now: Date,
) {
  const deadlineAt = new Date(now.getTime() + lifeMs)
  const origin = { requestId, callId, traceparent, keyId }
  return { ...origin, owner, provider, model, createdAt: now, deadlineAt, spending }
}

/** Replaces an ID that the caller left out. Source: gateway contract, 1. */
export const temporaryId = 'temporary'

/** The owner of the pictures of the shared library, as pet and as user. */
export const sharedId = 'shared'

/** The IDs as the caller sent them; null counts as left out. */
export interface OwnerIds {
  readonly user_id?: string | null | undefined
  readonly pet_id?: string | null | undefined
}

/**
 * Returns the owner of a request: the IDs as sent, and `temporary` for missing ones. The caller has checked their
 * format.
 * @NOTE contract: a missing ID is required in one place and replaced in another; old callers are served, never
 * refused.
 */
export function toOwner(ids: OwnerIds): Owner {
  return {
    userId: ids.user_id ?? temporaryId,
    petId: ids.pet_id ?? temporaryId,
    missing: (['user_id', 'pet_id'] as const).filter((name) => ids[name] == null),
  }
}

/** The expected price of a model, and the operator's budget for each pet. */
export interface ModelPrice {
  /** Expected cost of one unit in millionths of a US dollar; null if unknown. */
  readonly unitMicros: number | null
  readonly perPet?: Budget | undefined
}

/** A model for which tasks are created. */
export interface Model extends Pick<Provider, 'label' | 'imageModel' | 'videoModel' | 'takesCompanion'>, ModelPrice {}

/** Returns the cost of a task with this model, and the budgets of the API key and the pet that it must fit. */
export function toSpending({ unitMicros, perPet }: ModelPrice, keyBudget: Budget | null): Spending {
  const limits = [
    ...(keyBudget === null ? [] : [{ of: 'key' as const, ...keyBudget }]),
    ...(perPet === undefined ? [] : [{ of: 'pet' as const, ...perPet }]),
  ]
  return { unitMicros, limits }
}
