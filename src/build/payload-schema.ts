import { envelopeSchema, metricSchemas, windowSchemas } from '../insight/schema.js'
import { mapSchema, type Schema } from './schema-tools.js'

/** Returns the source of `src/generated/payload-schema.ts`: the published JSON Schema as a value. */
export async function generatePayloadSchema(): Promise<string> {
  return `export const payloadSchema: Readonly<Record<string, unknown>> = ${JSON.stringify(buildPayloadSchema(), null, 1)}\n`
}

/**
 * Builds one JSON Schema 2020-12 document for the structure of every payload: the envelope, then the additions of each
 * metric and window. `$comment` names the rule of a node. Rules across dates and sums are beyond JSON Schema.
 */
export function buildPayloadSchema(): Schema {
  const { description: _, ...envelope } = mapSchema(envelopeSchema, toPublished)
  const conditions = [
    ...Object.keys(metricSchemas).map((name) => when({ metric: { enum: metricsOf(name) } }, name)),
    ...Object.keys(windowSchemas).map((name) => {
      const [metric = '', kind] = name.split('-')
      return when(
        { metric: { const: metric }, viewWindow: { enum: kind === 'day' ? ['day'] : ['week', 'month'] } },
        name,
      )
    }),
  ]
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://svc.example/schemas/health-detail-v3.schema.json',
    title: 'health-detail-v3',
    description:
      'Request body of POST /v1/health-detail-insights/generate: the structural part of its validity. ' +
      '`svc validate` also checks that dates, counts and averages agree.',
    ...envelope,
    allOf: conditions,
    $defs: Object.fromEntries(
      Object.entries({ ...metricSchemas, ...windowSchemas }).map(([name, schema]) => [
        name,
        mapSchema(schema, toPublished),
      ]),
    ),
  }
  return document
}

function when(properties: Readonly<Record<string, object>>, name: string) {
  return {
    if: { type: 'object', properties, required: Object.keys(properties) },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: `#/$defs/${name}` },
  }
}

const metricsOf = (name: string) => (name === 'vital' ? ['hr', 'hrv', 'rr'] : [name])

function toPublished({ expected: _, missing, ...node }: Schema): Schema {
  if (node.$comment === undefined) return node
  return { ...node, $comment: `rule: ${missing === undefined ? '' : `${missing}, `}${node.$comment}` }
}
