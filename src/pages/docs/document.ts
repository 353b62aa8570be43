/** The parts of an OpenAPI document that this page reads or changes. */
export interface ApiDocument {
  servers: { url: string }[]
  paths: Record<string, Record<string, OperationObject>>
}

interface OperationObject {
  operationId: string
  description: string
  'x-access'?: 'admin' | { group: string; models?: readonly string[]; allow?: readonly string[] }
  requestBody?: { content: Record<string, { example?: unknown }> }
}

/** Adapts the document to the explorer: removes legacy paths, names the permissions of keys, and replaces examples by `bodies`. */
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
      operation.description += describeAccess(operation)
      const body = operation.requestBody?.content['application/json']
      const example = bodies[operation.operationId]
      if (body !== undefined && example !== undefined) body.example = example
    }
    if (Object.keys(operations).length === 0) delete prepared.paths[path]
  }
  return adapt(prepared) as ApiDocument
}

/** Describes the permissions that a key needs, in Markdown. */
function describeAccess({ 'x-access': access }: OperationObject): string {
  if (access === undefined) return '\n\nNeeds no key.'
  if (access === 'admin') return '\n\nNeeds a key made with `--admin`.'
  const names = [access.group, ...(access.models ?? []), ...(access.allow ?? [])].map((name) => `\`${name}\``)
  return `\n\nNeeds a key for ${names.join(', ')}.`
}

function adapt(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(adapt)
  if (typeof node !== 'object' || node === null) return node
  return adaptNode(Object.fromEntries(Object.entries(node).map(([key, member]) => [key, adapt(member)])))
}

/**
 * Writes "string or null" as one type, not as a choice of two, and removes references to a contract that readers do not have.
 * The explorer fails for "array or null" with a choice of items: it is shown as an array.
 */
function adaptNode(node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...around } = node
  const { items, description } = around as { items?: { anyOf?: unknown }; description?: unknown }
  if (items?.anyOf !== undefined && Array.isArray(around.type)) around.type = 'array'
  if (typeof description === 'string')
    around.description = description.replace(/ ?Health detail contract, [\d.]+\.$/, '')
  if (!Array.isArray(anyOf)) return around
  const { type } = anyOf[0]
  const isJoined = anyOf.length === 2 && anyOf[1]?.type === 'null' && typeof type === 'string'
  return isJoined ? { ...anyOf[0], ...around, type: [type, 'null'] } : { anyOf, ...around }
}
