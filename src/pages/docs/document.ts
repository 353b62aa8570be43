/** The parts of an OpenAPI document that this page reads or changes. */
export interface ApiDocument {
  servers: { url: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, { oneOf?: { $ref?: string }[] }> }
}

interface OperationObject {
  operationId: string
  requestBody?: { content: Record<string, MediaType> }
}

interface MediaType {
  schema?: { $ref?: string }
  example?: unknown
}

/**
 * Adapts the document to the explorer: removes legacy paths, and replaces examples by `bodies`.
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
      const body = operation.requestBody?.content['application/json']
      const example = bodies[operation.operationId]
      if (body !== undefined && example !== undefined) body.example = example
      if (body !== undefined) chooseSchema(body, prepared)
    }
    if (Object.keys(operations).length === 0) delete prepared.paths[path]
  }
  return joinNulls(prepared) as ApiDocument
}

/** Shows the first schema of a choice: the explorer makes a sample of every combination, and does not end with health payloads. */
function chooseSchema(body: MediaType, { components }: ApiDocument): void {
  const name = body.schema?.$ref?.split('/').at(-1) ?? ''
  const [first] = components.schemas[name]?.oneOf ?? []
  if (first !== undefined) body.schema = first
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
