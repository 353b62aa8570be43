import type { StructuralRule } from '../insight/schema.js'

/** A JSON Schema node as our sources write it. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly $ref?: string
  readonly additionalProperties?: boolean
  readonly if?: Schema
  readonly then?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly description?: string
  readonly $comment?: string | StructuralRule
  readonly expected?: string
  readonly missing?: string | StructuralRule
}

/** The ID of a rule that a node names. */
export const ruleIdOf = (rule: string | StructuralRule) => (typeof rule === 'string' ? rule : rule.id)

/** A tree of member names; null if nothing is known below a member. */
export type Member = { [name: string]: Member } | null

const keywordsWithSchema = ['items', 'if', 'then']
const keywordsWithSchemas = ['anyOf', 'allOf']

/** Returns a copy of a schema in which `change` replaced every node, leaves first. */
export function mapSchema(schema: object, change: (node: Schema) => Schema): Schema {
  const node: Record<string, unknown> = { ...schema }
  for (const keyword of keywordsWithSchema) {
    if (node[keyword] !== undefined) node[keyword] = mapSchema(node[keyword] as object, change)
  }
  for (const keyword of keywordsWithSchemas) {
    if (node[keyword] !== undefined) node[keyword] = (node[keyword] as object[]).map((part) => mapSchema(part, change))
  }
  if (node.properties !== undefined) {
    node.properties = Object.fromEntries(
      Object.entries(node.properties as object).map(([name, child]) => [name, mapSchema(child, change)]),
    )
  }
  return change(node)
}

/** Keywords that restrict no value. */
const annotations = ['description', '$comment', 'expected', 'missing']

/**
 * Intersects two schemas; where both describe the same, the second describes it better. Throws unless they are equal, one
 * restricts nothing, or both are objects.
 */
export function intersect(one: Schema, other: Schema): Schema {
  if (restrictsNothing(one)) return other
  if (restrictsNothing(other)) return one
  if (isEqual(one, other)) return other
  if (!typesOf(one).includes('object') || !typesOf(other).includes('object')) {
    throw new Error(`${JSON.stringify(one)} and ${JSON.stringify(other)} cannot be combined.`)
  }
  const [type = 'object', ...types] = typesOf(one).filter((name) => typesOf(other).includes(name))
  const properties = { ...one.properties }
  for (const [name, node] of Object.entries(other.properties ?? {}))
    properties[name] = intersect(properties[name] ?? {}, node)
  return {
    ...one,
    ...other,
    type: types.length === 0 ? type : [type, ...types],
    properties,
    required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])],
  }
}

export const typesOf = ({ type = [] }: Schema): readonly string[] => [type].flat()

const restrictsNothing = (node: Schema) => Object.keys(node).every((keyword) => annotations.includes(keyword))

const isEqual = (one: Schema, other: Schema) => stripped(one) === stripped(other)
const stripped = (node: Schema) =>
  JSON.stringify(node, (key, value: unknown) => (annotations.includes(key) ? undefined : value))
