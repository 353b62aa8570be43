import type { Owner } from '../ports/tasks.js'

/** Replaces an ID that the caller left out. Source: gateway contract, 1. */
export const temporaryId = 'temporary'

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
