import { envelopeSchema, metricSchemas, windowSchemas } from '../insight/schema.js'
import { intersect, mapSchema, ruleIdOf, type Schema } from './schema-tools.js'

/** Returns the source of `src/generated/payload-schema.ts`: the published JSON Schema as a value. */
export function generatePayloadSchema(): string {
  return `export const payloadSchema: Readonly<Record<string, unknown>> = ${JSON.stringify(buildPayloadSchema(), null, 1)}\n`
}

/** The structure of payloads in parts, whole: `envelope`, what a metric (`rest`) adds, and a metric and window (`rest-day`). */
const payloadParts: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries({ envelope: envelopeSchema, ...metricSchemas, ...windowSchemas }).map(([name, schema]) => [
    name,
    mapSchema(schema, toPublished),
  ]),
)

type Definitions = Record<string, Schema>

/**
 * Builds one JSON Schema 2020-12 document for the structure of every payload: the envelope, then the additions of each
 * metric and window under a condition, so that an invalid payload breaks only its own rules. `$comment` names the rule of
 * a node. Rules across dates and sums are beyond JSON Schema.
 *
 * Validation needs no more. Generators of types ignore conditions, so `$defs` has names for what they make types of: the
 * facts of each metric and window (`rest-day-metrics`), and whole requests (`rest-day-request`).
 */
export function buildPayloadSchema(): Schema {
  const definitions = nameSnapshot()
  const requests = Object.keys(windowSchemas).map(
    (page) => [`${page}-request`, buildRequest(page, definitions)] as const,
  )
  const { description: _, ...envelope } = referTo(payloadParts.envelope ?? {}, envelopeNames)
  const additions = [...Object.keys(metricSchemas), ...Object.keys(windowSchemas)].map(
    (name) => [name, referTo(payloadParts[name] ?? {}, namesOf(name))] as const,
  )
  const { metrics } = envelope.properties as Definitions
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://svc.example/schemas/health-detail-v3.schema.json',
    title: 'health-detail-v3',
    description:
      'Request body of POST /v1/health-detail-insights/generate: the structural part of its validity. ' +
      '`svc validate` also checks that dates, counts and averages agree.',
    ...envelope,
    properties: {
      ...envelope.properties,
      // The conditions demand more of `metrics`: this names the types.
      metrics: { ...metrics, anyOf: Object.keys(windowSchemas).map((page) => refer(`${page}-metrics`)) },
    },
    allOf: additions.map(([name]) => when(name)),
    $defs: { ...Object.fromEntries(additions), ...definitions, ...Object.fromEntries(requests) },
  }
  return document
}

/** Combines the envelope with the additions of a metric and a window into the schema of whole requests. */
function buildRequest(page: string, definitions: Definitions): Schema {
  const { metric, windows } = readName(page)
  const parts = ['envelope', familyOf(metric), page].map((name) => payloadParts[name] ?? {})
  const { description: _, properties, ...request } = parts.reduce(intersect)
  const choice = (name: string, values: readonly string[]) => {
    const { enum: __, ...node } = properties?.[name] ?? {}
    return { ...node, ...toChoice(values) }
  }
  const members: Definitions = {
    ...properties,
    insightContext: addSnapshotType(properties?.insightContext ?? {}),
    metric: choice('metric', [metric]),
    viewWindow: choice('viewWindow', windows),
  }
  const hasNights = members.period?.required?.includes('validNights') === true
  const names = {
    ...envelopeNames,
    ...namesOf(page),
    period: hasNights ? 'period-with-nights' : 'period',
    insightContext: `${familyOf(metric)}-context`,
  }
  for (const [member, name] of Object.entries(names)) {
    const definition = members[member] ?? {}
    const known = definitions[name] ?? definition
    if (JSON.stringify(known) !== JSON.stringify(definition)) throw new Error(`$defs has two schemas named ${name}.`)
    definitions[name] = definition
  }
  return referTo({ ...request, properties: members }, names)
}

const toChoice = (values: readonly string[]): Schema =>
  values.length === 1 ? { type: 'string', const: values[0] } : { type: 'string', enum: values }

/** The names in `$defs` of members. */
type DefinitionNames = Readonly<Record<string, string>>

const envelopeNames: DefinitionNames = { petProfile: 'pet-profile', period: 'period' }

/** The names of the members that a metric, or a metric and a window, add. */
function namesOf(name: string): DefinitionNames {
  const family = familyOf(readName(name).metric)
  return { suppliedJudgment: `${family}-judgment`, ...(name !== family && { metrics: `${name}-metrics` }) }
}

/** Names what a rating of rest demands: it is the only addition under a condition of its own. */
function nameSnapshot(): Definitions {
  const { then: rated = {} } = payloadParts.rest ?? {}
  const { insightContext: context = {} } = rated.properties ?? {}
  const { sourceSnapshot: snapshot = {} } = context.properties ?? {}
  // Says that they have other members, which linters would take for unknown.
  const open = { additionalProperties: true }
  const insightContext = { ...referTo(context, { sourceSnapshot: 'complete-snapshot' }), ...open }
  return { 'complete-snapshot': snapshot, 'rated-rest': { ...rated, properties: { insightContext }, ...open } }
}

/** Names the type of a snapshot, which need not be complete without a rating. */
function addSnapshotType(context: Schema): Schema {
  const { sourceSnapshot: snapshot, ...properties } = context.properties ?? {}
  if (snapshot?.type !== 'object') return context
  const typed = { ...snapshot, anyOf: [refer('complete-snapshot'), { type: 'object' }] }
  return { ...context, properties: { ...properties, sourceSnapshot: typed } }
}

/** Replaces the members of an object that have a name by references. */
function referTo(node: Schema, names: DefinitionNames): Schema {
  const properties = Object.entries(node.properties ?? {}).map(([member, schema]) => {
    const name = names[member]
    return [member, name === undefined ? schema : refer(name)]
  })
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  const condition = node.then === undefined ? {} : { then: refer('rated-rest') }
  return { ...node, ...condition, properties: Object.fromEntries(properties) }
}

const refer = (name: string): Schema => ({ $ref: `#/$defs/${name}` })

/** Adds `name` for the metrics and windows that it is of. */
function when(name: string) {
  const { metric, windows } = readName(name)
  const metrics = metric === 'vital' ? ['hr', 'hrv', 'rr'] : [metric]
  const properties =
    name === metric ? { metric: { enum: metrics } } : { metric: { const: metric }, viewWindow: { enum: windows } }
  return {
    if: { type: 'object', properties, required: Object.keys(properties) },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: refer(name),
  }
}

/** Splits `rest-day` or `rest-period`. */
function readName(name: string): { readonly metric: string; readonly windows: readonly string[] } {
  const [metric = '', kind] = name.split('-')
  return { metric, windows: kind === 'day' ? ['day'] : ['week', 'month'] }
}

const familyOf = (metric: string) => (metric in metricSchemas ? metric : 'vital')

function toPublished({ expected: _, missing, ...node }: Schema): Schema {
  if (node.$comment === undefined) return node
  const rules = missing === undefined ? [node.$comment] : [missing, node.$comment]
  return { ...node, $comment: `rule: ${rules.map(ruleIdOf).join(', ')}` }
}
