/** The parts of an OpenAPI document that this page reads or changes. */
export interface ApiDocument {
  servers: { url: string }[]
  tags?: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

interface Operation {
  operationId: string
  tags?: string[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

/**
 * The document as the explorer takes it: grouped by what comes first in a path, without the paths of old callers, with
 * `bodies` to begin with, and with the parts of a schema that has a name of its own (`$defs`) among the other schemas, since
 * the explorer looks for them there.
 */
export function prepareDocument(
  document: ApiDocument,
  base: string,
  bodies: Readonly<Record<string, unknown>>,
): ApiDocument {
  const prepared = structuredClone(document)
  prepared.servers = [{ url: base }]
  for (const [path, operations] of Object.entries(prepared.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (/Alias\d*$/.test(operation.operationId)) delete operations[method]
      operation.tags = [nameGroup(path)]
      const body = operation.requestBody?.content['application/json']
      const example = bodies[operation.operationId]
      if (body !== undefined && example !== undefined) body.example = example
    }
    if (Object.keys(operations).length === 0) delete prepared.paths[path]
  }
  prepared.tags = [...new Set(Object.keys(prepared.paths).map(nameGroup))].map((name) => ({ name }))
  return liftParts(prepared)
}

/** `/v1/pet-avatar/generate` and `/v1/pet-avatars` are of one group. */
function nameGroup(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'v1' ? (groups[second] ?? second) : (groups[first] ?? 'Service')
}

const groups: Readonly<Record<string, string>> = {
  models: 'Service',
  'pet-avatar': 'Avatars',
  'pet-avatars': 'Avatars',
  'pet-animation': 'Animations',
  'pet-diary-images': 'Diary pictures',
  'pet-diary-image-libraries': 'Diary pictures',
  'app-metadata': 'Diary pictures',
  'home-insights': 'Home cards',
  'ai-insights': 'Home cards',
  'health-detail-insights': 'Health insights',
  _svc: 'Records of the gateway',
}

function liftParts(document: ApiDocument): ApiDocument {
  const lifted: Record<string, unknown> = {}
  const lift = (node: unknown, owner: string): unknown => {
    if (Array.isArray(node)) return node.map((part) => lift(part, owner))
    if (typeof node !== 'object' || node === null) return node
    const { $defs, $id, $schema: _, ...rest } = node as Record<string, unknown>
    const name = typeof $id === 'string' ? nameSchema($id) : owner
    for (const [part, schema] of Object.entries($defs ?? {})) lifted[`${name}.${part}`] = lift(schema, name)
    const { $ref, ...members } = rest
    const reference = typeof $ref === 'string' ? $ref.replace('#/$defs/', `#/components/schemas/${name}.`) : undefined
    return joinNull({
      ...Object.fromEntries(Object.entries(members).map(([key, part]) => [key, lift(part, name)])),
      ...(reference !== undefined && { $ref: reference }),
    })
  }
  const result = lift(document, '') as ApiDocument
  Object.assign(result.components.schemas, lifted)
  return result
}

/** A text or null is one type to a reader, not a choice between two. */
function joinNull(node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...around } = node
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return node
  const { type } = anyOf[0]
  return typeof type === 'string' ? { ...anyOf[0], ...around, type: [type, 'null'] } : node
}

/** `https://svc.example/schemas/health-detail-v3.schema.json` is `health-detail-v3`. */
const nameSchema = (id: string) => id.replace(/^.*\//, '').replace(/\.schema\.json$/, '')
