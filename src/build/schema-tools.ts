/** A JSON Schema node as our sources write it. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly if?: Schema
  readonly then?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly description?: string
  readonly $comment?: string
  readonly expected?: string
  readonly missing?: string
}

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
