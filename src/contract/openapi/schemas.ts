import type { TSchema } from 'typebox'

export type Json = Record<string, unknown>

/** Returns a schema as the document shows it: a reference if it has a name. */
export type Use = (schema: TSchema) => Json

interface Node {
  readonly [keyword: string]: unknown
  readonly $id?: string
  readonly $defs?: Readonly<Record<string, object>>
}

/**
 * Collects the schemas of a document. TypeBox schemas are JSON Schema 2020-12; they are changed only in ways that keep their
 * meaning and help generators of clients, which know less of it than validators do:
 * - A schema with an `$id` becomes a component of that name, and so do those of its `$defs` that are used: most generators do
 *   not resolve a reference inside a schema.
 * - `enum` and `const` have a `type`, and "string or null" is a list of types, not a choice of schemas.
 * - A `$comment`, which is for readers of the schema of payloads, is left out.
 * - A choice of named objects that differ in a constant has a discriminator.
 */
export function createSchemas(): { readonly components: Json; readonly use: Use } {
  const components: Json = {}
  /** The schemas that the components are made from, by name. */
  const sources = new Map<string, object>()

  /** Adds a component once. Throws if its name means another schema already. */
  function add(name: string, source: object, definitions: Node['$defs']): Json {
    const known = sources.get(name)
    if (known === undefined) {
      sources.set(name, source)
      // Reserves the place, so that components are in the order of their first use.
      components[name] = {}
      const { $id: _, $schema: __, $defs: ___, ...body } = source as Node
      components[name] = convert(body, definitions)
    } else if (known !== source && !isSame(known, source)) throw new RangeError(`two schemas have the name ${name}`)
    return { $ref: `#/components/schemas/${name}` }
  }

  function convert(node: Node, definitions: Node['$defs']): Json {
    if (String(node.$ref).startsWith('#/$defs/')) {
      const name = String(node.$ref).replace('#/$defs/', '')
      return { ...node, ...add(toPascalCase(name), definitions?.[name] ?? {}, definitions) }
    }
    const { $comment: _, ...keywords } = node
    const converted = Object.entries(keywords).map(([keyword, value]) => [
      keyword,
      keyword === 'properties' ? mapValues(value as Json, visit) : visit(value),
    ])
    return complete(Object.fromEntries(converted))

    function visit(value: unknown): unknown {
      if (Array.isArray(value)) return value.map(visit)
      if (typeof value !== 'object' || value === null) return value
      return '$id' in value ? use(value as TSchema) : convert(value as Node, definitions)
    }
  }

  function complete(node: Json): Json {
    const { anyOf } = node
    if (Array.isArray(anyOf)) return joinNull(node, anyOf) ?? discriminate(node, anyOf, components) ?? node
    if (node.type !== undefined) return isOpen(node) ? { ...node, additionalProperties: true } : node
    const values = 'const' in node ? [node.const] : node.enum
    return Array.isArray(values) ? { type: typesOf(values), ...node } : node
  }

  function use(schema: TSchema): Json {
    const node = schema as Node
    return node.$id === undefined ? convert(node, node.$defs) : add(node.$id, node, node.$defs)
  }
  return { components, use }
}

/** True for an object about which nothing is said: generators take it for an empty one. */
const isOpen = ({ type, properties, additionalProperties, anyOf }: Json) =>
  type === 'object' && properties === undefined && additionalProperties === undefined && anyOf === undefined

/** Writes a choice of one type and null as two types. */
function joinNull(node: Json, [first, second, ...others]: Json[]): Json | undefined {
  if (second?.type !== 'null' || others.length > 0 || typeof first?.type !== 'string' || 'enum' in first)
    return undefined
  const { anyOf: _, ...around } = node
  return { ...first, ...around, type: [first.type, 'null'] }
}

/** Adds the discriminator of a choice of components, if they have a member that is a different constant in each. */
function discriminate(node: Json, choices: Json[], components: Json): Json | undefined {
  const constants = choices.map(({ $ref }) => findConstants(components[String($ref).split('/').at(-1) ?? '']))
  const [first = {}] = constants
  const propertyName = Object.keys(first).find(
    (name) => new Set(constants.map((values) => values[name] ?? '')).size === choices.length,
  )
  if (propertyName === undefined || constants.some((values) => values[propertyName] === undefined)) return undefined
  const mapping = Object.fromEntries(choices.map(({ $ref }, index) => [constants[index]?.[propertyName], $ref]))
  const { anyOf, ...around } = node
  return { oneOf: anyOf, ...around, discriminator: { propertyName, mapping } }
}

/** Returns the members of an object that are constants, with their values. */
function findConstants(component: unknown): Readonly<Record<string, unknown>> {
  const { properties = {} } = (component ?? {}) as { readonly properties?: Readonly<Record<string, Json>> }
  const constants = Object.entries(properties).filter(([, member]) => 'const' in member)
  return Object.fromEntries(constants.map(([name, member]) => [name, member.const]))
}

function typesOf(values: readonly unknown[]): string | readonly string[] {
  const types = new Set(
    values.map((value) => (Number.isInteger(value) ? 'integer' : value === null ? 'null' : typeof value)),
  )
  const [type = 'string', ...others] = types
  return others.length === 0 ? type : [type, ...others]
}

/** Returns `ActivityDayRequest` for `activity-day-request`. */
const toPascalCase = (name: string) => name.replaceAll(/(?:^|\W+)(\w)/g, (_, letter: string) => letter.toUpperCase())

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

const mapValues = (record: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
