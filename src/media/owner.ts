import type { Owner } from '../ports/tasks.js'

/** Stands for an ID that the caller left out. Source: gateway contract, 1. */
export const temporaryId = 'temporary'

/** What a caller sent for its IDs; null counts as left out. */
export interface OwnerIds {
  readonly user_id?: string | null | undefined
  readonly pet_id?: string | null | undefined
}

/**
 * Whose work it is: the IDs as sent, and `temporary` for what is missing. Their form was checked before.
 * @NOTE contract: a missing ID is required in one place and replaced in another; old callers are served, never refused.
 */
export function toOwner(ids: OwnerIds): Owner {
  return {
    userId: ids.user_id ?? temporaryId,
    petId: ids.pet_id ?? temporaryId,
    missing: (['user_id', 'pet_id'] as const).filter((name) => ids[name] == null),
  }
}
