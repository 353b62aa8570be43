import { isJsonObject, type JsonObject } from './json-object.js'

/** Checks whether an object has only known members, at every level. Generated for each place. */
export type KnownCheck = (members: JsonObject) => boolean

/** Checks whether an object has at most `present` members; true also if all `known` members are present. */
export function hasAtMost(members: JsonObject, present: number, known: number): boolean {
  if (present === known) return true
  let found = 0
  for (const _ in members) if (++found > present) return false
  return true
}

/** Checks whether a member's value, an object or an array of objects, has only known members. */
export function isKnown(value: unknown, check: KnownCheck): boolean {
  if (!Array.isArray(value)) return !isJsonObject(value) || check(value)
  for (const element of value) if (isJsonObject(element) && !check(element)) return false
  return true
}
