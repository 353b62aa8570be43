import type { HealthDetailPayload } from '../insight/schema.js'

/** Members of a payload to set, by JSON Pointer; undefined takes a member out. */
export type Changes = Readonly<Record<string, unknown>>

/** A change to a payload that may change the words of its text. */
export interface Variation {
  /** What is different, in a reader's words. */
  readonly words: string
  /** Which pages it is for: matched against `metric window mode`. */
  readonly pages: RegExp
  readonly change: (payload: HealthDetailPayload) => HealthDetailPayload
}

/** A copy of a payload with the changes made. Whether it is still valid is for `validate` to say. */
export function changePayload(payload: HealthDetailPayload, changes: Changes): HealthDetailPayload {
  const copy = structuredClone(payload)
  for (const [pointer, value] of Object.entries(changes)) {
    const names = pointer.split('/').slice(1)
    const last = names.pop() ?? ''
    let parent = copy as unknown as Record<string, unknown>
    for (const name of names) {
      if (typeof parent[name] !== 'object' || parent[name] === null) parent[name] = {}
      parent = parent[name] as Record<string, unknown>
    }
    if (value === undefined) delete parent[last]
    else parent[last] = value
  }
  return copy
}
