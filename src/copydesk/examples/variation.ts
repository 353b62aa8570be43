import type { HealthDetailPayload } from '../../insight/schema.js'

/** Members of a payload to set, by JSON Pointer; undefined removes a member. */
export type Changes = Readonly<Record<string, unknown>>

/** A change to a payload that may change the words of its text. */
export interface Variation {
  /** The change, in the words of a reader. */
  readonly words: string
  /** The pages that it applies to, matched against `metric window mode`. */
  readonly pages: RegExp
  readonly change: (payload: HealthDetailPayload) => HealthDetailPayload
}

/** Returns a changed copy of a payload, which shares its other members. The caller validates it. */
export function changePayload(payload: HealthDetailPayload, changes: Changes): HealthDetailPayload {
  const copy = { ...payload }
  for (const [pointer, value] of Object.entries(changes)) {
    const names = pointer.split('/').slice(1)
    const last = names.pop() ?? ''
    let parent = copy as unknown as Record<string, unknown>
    for (const name of names) {
      parent[name] = { ...(parent[name] as object | null | undefined) }
      parent = parent[name] as Record<string, unknown>
    }
    if (value === undefined) delete parent[last]
    else parent[last] = value
  }
  return copy
}
