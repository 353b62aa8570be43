import type { HealthDetailPayload } from './schema.js'

/** Members of a payload to set, by JSON Pointer; undefined removes a member. */
export type Changes = Readonly<Record<string, unknown>>

/**
 * Returns a changed copy of a payload, which shares its other members; objects on the way that are missing are added. The
 * result is as valid as the changes.
 */
export function changePayload(payload: HealthDetailPayload, changes: Changes): HealthDetailPayload {
  const copy = { ...payload }
  for (const [pointer, value] of Object.entries(changes)) {
    const names = pointer.split('/').slice(1)
    const last = names.pop() ?? ''
    let parent = copy as unknown as Record<string, unknown>
    for (const name of names) {
      const child = parent[name]
      parent[name] = Array.isArray(child) ? [...child] : { ...(child as object | null | undefined) }
      parent = parent[name] as Record<string, unknown>
    }
    if (value === undefined) delete parent[last]
    else parent[last] = value
  }
  return copy
}
