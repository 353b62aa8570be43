import type { TObject, TSchema } from 'typebox'

/** What a query or a form holds: texts by name, in the order in which they came. */
export type Texts = ReadonlyMap<string, readonly string[]>

/**
 * The texts of a query or a form as the values that `schema` asks for. A text that is no such value stays as it is, for the
 * check to find. Empty texts count as left out: HTML forms send them for what nobody filled in.
 * `repeated` names what was given more than once and cannot be.
 */
export function toValues(texts: Texts, schema: TObject): { values: Record<string, unknown>; repeated: string[] } {
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

/** Repeated fields, or one that holds a list as JSON. */
function toList(given: readonly string[]): unknown {
  const [first = ''] = given
  if (given.length > 1 || !first.trimStart().startsWith('[')) return given
  try {
    return JSON.parse(first)
  } catch {
    // It stays a text, which is no list: the check says so.
    return first
  }
}

/** Decimal digits alone: no `1.5`, `0x1`, `1e3`, and nothing that one could not count to. */
function toInteger(text: string): number | string {
  const value = Number(text)
  return /^(0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(value) ? value : text
}
