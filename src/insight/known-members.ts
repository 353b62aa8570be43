import type { Members } from './members.js'

/** Whether an object has nothing but known members, at every level. Generated for each place. */
export type KnownCheck = (members: Members) => boolean

/** Whether an object has no more members than the `present` ones among `known` that may be there. */
export function hasAtMost(members: Members, present: number, known: number): boolean {
  if (present === known) return true
  let found = 0
  for (const _ in members) if (++found > present) return false
  return true
}

/** Whether a member's value, or every entry of an array, has nothing but known members. */
export function isKnown(value: unknown, check: KnownCheck): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (!Array.isArray(value)) return check(value as Members)
  for (const element of value) if (!isKnown(element, check)) return false
  return true
}
