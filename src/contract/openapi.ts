import type { TSchema } from 'typebox'
import { type ErrorCode, statusByCode } from '../errors.js'
import { listErrors, type Route } from './route.js'
import { ErrorEnvelope } from './schemas.js'

type Json = Record<string, unknown>

const requestIdHeader = { 'X-Request-ID': { $ref: '#/components/headers/X-Request-ID' } }

/**
 * The routes as an OpenAPI 3.1 document. Schemas go in as they are: TypeBox values are JSON Schema 2020-12. One with an
 * `$id` stands under that name among the components.
 */
export function buildOpenApi(routes: Readonly<Record<string, Route>>, version: string): Json {
  const schemas: Json = {}
  const use = (schema: TSchema): Json => {
    const { $id, ...body } = schema as TSchema & { $id?: string }
    // An `$id` that is an address is what the references inside that schema are resolved against: it stays.
    if ($id === undefined || !/^\w+$/.test($id)) return schema as Json
    schemas[$id] = body
    return { $ref: `#/components/schemas/${$id}` }
  }
  const paths: Record<string, Json> = {}
  for (const [operationId, route] of Object.entries(routes)) {
    const path = paths[route.path] ?? {}
    paths[route.path] = path
    path[route.method.toLowerCase()] = describeOperation(operationId, route, use)
  }
  use(ErrorEnvelope)
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version,
      description: 'HTTP/JSON gateway for AI-backed pet features.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas,
      headers: {
        'X-Request-ID': {
          description: 'ID of the call: the one that was sent, if it is 1 to 128 of A-Z a-z 0-9 . _ -, else a new one.',
          schema: { type: 'string' },
        },
      },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key made with `svc key create`.' },
      },
    },
  }
}

function describeOperation(operationId: string, route: Route, use: (schema: TSchema) => Json): Json {
  const replies = Object.entries(route.replies).map(([status, schema]) => [
    status,
    {
      description: status === '200' ? 'Success' : 'Out of order',
      headers: requestIdHeader,
      content: { 'application/json': { schema: use(schema) } },
    },
  ])
  return {
    operationId,
    summary: route.summary,
    ...(route.access === 'public'
      ? { security: [] }
      : {
          security: [{ apiKey: [] }],
          'x-access': route.access,
        }),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: use(route.body) } } } }),
    responses: { ...Object.fromEntries(replies), ...describeErrors(listErrors(route), use(ErrorEnvelope)) },
  }
}

function describeErrors(codes: readonly ErrorCode[], schema: Json): Json {
  return Object.fromEntries(
    codes.map((code) => [
      String(statusByCode[code]),
      {
        description: `\`${code}\``,
        headers: {
          ...requestIdHeader,
          ...(code === 'rate_limit_exceeded'
            ? { 'Retry-After': { description: 'Whole seconds, at least 1.', schema: { type: 'integer', minimum: 1 } } }
            : {}),
        },
        content: { 'application/json': { schema } },
      },
    ]),
  )
}
