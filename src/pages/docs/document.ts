/** The parts of an OpenAPI document that this page reads or changes. */
export interface ApiDocument {
  servers: { url: string }[]
  tags?: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  operationId: string
  tags?: string[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

/**
 * Adapts the document to the explorer: groups operations by the first segment of their path, removes legacy paths, and adds
 * `bodies` as examples.
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
  return joinNulls(prepared) as ApiDocument
}

/** Returns the group of a path: `/v1/pet-avatar/generate` and `/v1/pet-avatars` share one. */
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

function joinNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(joinNulls)
  if (typeof node !== 'object' || node === null) return node
  return joinNull(Object.fromEntries(Object.entries(node).map(([key, member]) => [key, joinNulls(member)])))
}

/** Writes "string or null" as one type, not as a choice of two. */
function joinNull(node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...around } = node
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return node
  const { type } = anyOf[0]
  return typeof type === 'string' ? { ...anyOf[0], ...around, type: [type, 'null'] } : node
}
