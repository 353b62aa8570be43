/** A JSON object as sent. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Names of members, each with those of the object that it holds. */
export type NameTree = { readonly [name: string]: NameTree | null }

/** Checks whether a value is a JSON object: not an array and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that a member holds; an empty object if it holds another value. */
export function objectOf(members: JsonObject, name: string): JsonObject {
  const value = members[name]
  return isJsonObject(value) ? value : noMembers
}

/** The number that a member holds. */
export function numberOf(members: JsonObject, name: string): number | undefined {
  const value = members[name]
  return typeof value === 'number' ? value : undefined
}

/** The text that a member holds. */
export function textOf(members: JsonObject, name: string): string | undefined {
  const value = members[name]
  return typeof value === 'string' ? value : undefined
}

const noMembers: JsonObject = Object.freeze({})
