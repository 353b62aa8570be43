import type { PayloadShape, ShapeTable } from '../insight/scan/shape.js'
import { envelopeSchema, metricSchemas, windowSchemas } from '../insight/schema.js'
import { intersect, type Schema, typesOf } from './schema-tools.js'

/** The keywords that become part of a shape, and those that do not restrict values. */
const knownKeywords = new Set([
  ...['type', 'const', 'enum', 'properties', 'required', 'items', 'anyOf', 'if', 'then', 'minimum', 'maximum'],
  ...['minLength', 'maxLength', 'pattern', 'description', '$comment', 'expected', 'missing'],
])

/**
 * Returns the source of `src/generated/payload-shapes.ts`: a function, so that the table is parsed when first needed.
 */
export async function generatePayloadShapes(): Promise<string> {
  return [
    "import type { ShapeTable } from '../insight/scan/shape.js'",
    `export const listShapes = (): ShapeTable => (${JSON.stringify(buildPayloadShapes())})`,
    '',
  ].join('\n')
}

/**
 * Combines the three schemas of each metric and kind of window into one shape. Where they leave a choice, the shape
 * takes the usual form: it is at least as strict as they are. Throws for an unknown keyword.
 */
function buildPayloadShapes(): ShapeTable {
  const shapes: PayloadShape[] = []
  const envelope = toNode(envelopeSchema)
  const pages = Object.entries(windowSchemas).map(([page, schema]) => {
    const metric = page.replace(/-.*/, '')
    const family = (metric in metricSchemas ? metric : 'vital') as keyof typeof metricSchemas
    return [page, [envelope, toNode(metricSchemas[family]), toNode(schema)].reduce(intersect)] as const
  })
  const shared = pickShared(
    envelope,
    pages.map(([, node]) => node),
  )
  const withSharedFirst = (page: Schema) => ({ ...page, properties: { ...shared.properties, ...page.properties } })
  return {
    envelope: addShape(shared, shapes),
    // The window schemas are named after their pages.
    pages: Object.fromEntries(
      pages.map(([page, node]) => [page, addShape(withSharedFirst(node), shapes)]),
    ) as ShapeTable['pages'],
    shapes,
  }
}

/** Returns the envelope with the members that are the same on all pages. */
function pickShared(envelope: Schema, pages: readonly Schema[]): Schema {
  const isShared = ([name, node]: readonly [string, Schema]) =>
    pages.every(({ properties }) => JSON.stringify(properties?.[name]) === JSON.stringify(node))
  return { ...envelope, properties: Object.fromEntries(Object.entries(envelope.properties ?? {}).filter(isShared)) }
}

/** Copies a schema without annotations, and with one branch of each choice. */
function toNode(schema: object): Schema {
  const unknown = Object.keys(schema).find((keyword) => !knownKeywords.has(keyword))
  if (unknown !== undefined) throw new Error(`Shapes do not support the keyword "${unknown}".`)
  const { description: _, $comment, expected, missing, ...node } = schema as Record<string, unknown>
  const { anyOf: [first] = [], if: condition, then, properties, items, ...rest } = node as Schema
  if (first !== undefined) return toNode({ ...rest, ...first })
  const parts = properties === undefined ? {} : { properties: mapValues(properties, toNode) }
  const own = { ...rest, ...parts, ...(items === undefined ? {} : { items: toNode(items) }) }
  return condition === undefined || then === undefined ? own : intersect(own, toNode(then))
}

/** Returns the number of a shape, after adding it and its parts if they are missing. */
function addShape(node: Schema, shapes: PayloadShape[]): number {
  const shape = toShape(node, shapes)
  const known = shapes.findIndex((one) => JSON.stringify(one) === JSON.stringify(shape))
  return known >= 0 ? known : shapes.push(shape) - 1
}

function toShape(node: Schema, shapes: PayloadShape[]): PayloadShape {
  const orNull = typesOf(node).includes('null') || node.enum?.includes(null) === true
  const values = 'const' in node ? [node.const] : node.enum?.filter((value) => value !== null)
  if (values?.every((value) => typeof value === 'string')) return { kind: 'choice', orNull, values }
  if (values !== undefined) return toRange(values, orNull)
  switch (typesOf(node).find((type) => type !== 'null')) {
    case 'object': {
      const members = mapValues(node.properties ?? {}, (child) => addShape(child, shapes))
      return { kind: 'object', orNull, members, required: node.required ?? [] }
    }
    case 'array':
      return { kind: 'array', orNull, items: addShape(node.items ?? {}, shapes) }
    case 'string': {
      const { minLength = 0, maxLength = null, pattern = null } = node
      return { kind: 'text', orNull, minLength, maxLength, pattern }
    }
    case 'number':
    case 'integer': {
      const { minimum = null, maximum = null } = node
      return { kind: 'number', orNull, minimum, maximum, isWhole: typesOf(node).includes('integer') }
    }
    case 'boolean':
      return { kind: 'boolean', orNull }
    default:
      return orNull ? { kind: 'choice', orNull, values: [] } : { kind: 'any', orNull }
  }
}

/** Builds a range of consecutive integers. Throws for other values. */
function toRange(values: readonly unknown[], orNull: boolean): PayloadShape {
  const [minimum, maximum] = [Math.min(...(values as number[])), Math.max(...(values as number[]))]
  if (maximum - minimum !== values.length - 1) throw new Error(`Shapes do not support the values ${values.join(', ')}.`)
  return { kind: 'number', orNull, minimum, maximum, isWhole: true }
}

const mapValues = <Value, Result>(record: Readonly<Record<string, Value>>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
