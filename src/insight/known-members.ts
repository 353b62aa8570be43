import { isMembers, type Members } from './members.js'

/** Whether an object has nothing but known members, at every level. Generated for each place. */
export type KnownCheck = (members: Members) => boolean

/** Whether an object has no more members than the `present` ones among `known` that may be there. */
export function hasAtMost(members: Members, present: number, known: number): boolean {
  if (present === known) return true
  let found = 0
  for (const _ in members) if (++found > present) return false
  return true
}

/** Whether a member's value, an object or an array of objects, has nothing but known members. */
export function isKnown(value: unknown, check: KnownCheck): boolean {
  if (!Array.isArray(value)) return !isMembers(value) || check(value)
  for (const element of value) if (isMembers(element) && !check(element)) return false
  return true
}
