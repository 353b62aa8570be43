import type { TObject, TSchema } from 'typebox'

/** The values of a query or a form by name, in the order received. */
export type TextFields = ReadonlyMap<string, readonly string[]>

/**
 * Converts the texts of a query or a form to the types of `schema`. A text that cannot be converted stays as it is, for the
 * check to report. Empty texts count as omitted: HTML forms send them for blank fields.
 * `repeated` names fields that were given more than once and are not arrays.
 */
export function toValues(texts: TextFields, schema: TObject): { values: Record<string, unknown>; repeated: string[] } {
  const values: Record<string, unknown> = {}
  const repeated: string[] = []
  for (const [name, node] of Object.entries(schema.properties)) {
    const given = (texts.get(name) ?? []).filter((text) => text !== '')
    const [first] = given
    if (first === undefined) continue
    const type = findType(node)
    if (type === 'array') values[name] = toList(given)
    else if (given.length > 1) repeated.push(name)
    else values[name] = type === 'integer' ? toInteger(first) : first
  }
  return { values, repeated }
}

function findType(node: TSchema): unknown {
  const { type, anyOf } = node as { type?: unknown; anyOf?: readonly TSchema[] }
  return type ?? anyOf?.map(findType).find((branch) => branch !== 'null')
}

/** Accepts repeated fields, or one field with a JSON array. */
function toList(given: readonly string[]): unknown {
  const [first = ''] = given
  if (given.length > 1 || !first.trimStart().startsWith('[')) return given
  try {
    return JSON.parse(first)
  } catch {
    // It stays a string, which the check reports as not an array.
    return first
  }
}

/** Accepts decimal digits only: not `1.5`, `0x1` or `1e3`, and no unsafe integer. */
function toInteger(text: string): number | string {
  const value = Number(text)
  return /^(0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(value) ? value : text
}
