import type { TObject, TSchema } from 'typebox'
import { type ErrorCode, statusByCode } from '../errors.js'
import { listErrors, listPaths, type Route, type RouteTable } from './route.js'
import { ErrorEnvelope } from './schemas.js'

type Json = Record<string, unknown>

type Use = (schema: TSchema) => Json

const requestIdHeader = { 'X-Request-ID': { $ref: '#/components/headers/X-Request-ID' } }

/**
 * The routes as an OpenAPI 3.1 document. Schemas go in as they are: TypeBox values are JSON Schema 2020-12. One with an
 * `$id` stands under that name among the components.
 */
export function buildOpenApi(routes: RouteTable, version: string): Json {
  const schemas: Json = {}
  const use = (schema: TSchema): Json => {
    const { $id, ...body } = schema as TSchema & { $id?: string }
    // An `$id` that is an address is what the references inside that schema are resolved against: it stays.
    if ($id !== undefined && !/^\w+$/.test($id)) return schema as Json
    if ($id === undefined) return nameParts(schema, use)
    schemas[$id] ??= nameParts(body, use)
    return { $ref: `#/components/schemas/${$id}` }
  }
  const paths: Record<string, Json> = {}
  for (const [name, route] of Object.entries(routes)) {
    for (const [index, path] of listPaths(route).entries()) {
      const operationId = index === 0 ? name : `${name}Alias${index === 1 ? '' : index}`
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(operationId, route, use) }
    }
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
        'Idempotent-Replayed': {
          description: 'Whether this is the answer to an earlier request under the same Idempotency-Key.',
          schema: { type: 'string', const: 'true' },
        },
      },
      parameters: {
        'X-Request-ID': {
          name: 'X-Request-ID',
          in: 'header',
          description: 'ID of the call, to find it in the logs of both sides.',
          schema: { type: 'string' },
        },
        'Idempotency-Key': {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'The same request under the same key is carried out once; within 24 hours it gets the same answer.',
          schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
        },
      },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key made with `svc key create`.' },
      },
    },
  }
}

/** A schema in which parts that have a name of their own are referred to by it. */
function nameParts(schema: object, use: Use): Json {
  const name = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(name)
    if (typeof part !== 'object' || part === null) return part
    return '$id' in part ? use(part as TSchema) : nameParts(part, use)
  }
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, name(part)]))
}

function describeOperation(operationId: string, route: Route, use: Use): Json {
  return {
    operationId,
    summary: route.summary,
    ...(route.retired !== undefined && { deprecated: true }),
    ...(route.access === 'public' ? { security: [] } : { security: [{ apiKey: [] }], 'x-access': route.access }),
    parameters: describeParameters(route),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: describeBody(route, route.body, use) } }),
    responses: { ...describeReplies(route, use), ...describeErrors(listErrors(route), use(ErrorEnvelope)) },
  }
}

function describeParameters({ params, query, idempotent }: Route): Json[] {
  const describe = (place: 'path' | 'query', schema: TObject | undefined) =>
    Object.entries(schema?.properties ?? {}).map(([name, node]) => ({
      name,
      in: place,
      ...((place === 'path' || isRequired(schema, name)) && { required: true }),
      schema: node,
    }))
  const headers = ['X-Request-ID', ...(idempotent ? ['Idempotency-Key'] : [])]
  return [
    ...describe('path', params),
    ...describe('query', query),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

/** Callers may leave out what has a default. */
function isRequired(schema: TObject | undefined, name: string): boolean {
  const { required = [], properties = {} }: { required?: readonly string[]; properties?: TObject['properties'] } =
    schema ?? {}
  return required.includes(name) && !('default' in (properties[name] ?? {}))
}

function describeBody({ files }: Route, body: TSchema, use: Use): Json {
  const schema = toSent(body)
  const json = { 'application/json': { schema: use(schema) } }
  if (files === undefined) return json
  const { $id: _, ...form } = schema as TObject & { $id?: string }
  const parts = Object.fromEntries(files.map((name) => [name, { type: 'string', format: 'binary' }]))
  return { ...json, 'multipart/form-data': { schema: { ...form, properties: { ...form.properties, ...parts } } } }
}

/** A body as callers send it. */
function toSent(body: TSchema): TSchema {
  const { required } = body as Partial<TObject>
  return required === undefined
    ? body
    : { ...body, required: required.filter((name) => isRequired(body as TObject, name)) }
}

function describeReplies(route: Route, use: Use): Json {
  const headers = {
    ...requestIdHeader,
    ...(route.idempotent && { 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } }),
  }
  return Object.fromEntries(
    Object.entries(route.replies).map(([status, schema]) => [
      status,
      {
        description: status === '503' ? 'Out of order' : 'Success',
        headers,
        ...(schema === null ? {} : { content: { 'application/json': { schema: use(schema) } } }),
      },
    ]),
  )
}

const goneHeaders: Json = {
  Deprecation: { description: 'Since when, as `@` and seconds since 1970.', schema: { type: 'string' } },
  Sunset: { description: 'Since when, as an HTTP date.', schema: { type: 'string' } },
  Link: { description: 'What took its place, as `rel="successor-version"`.', schema: { type: 'string' } },
}

function describeErrors(codes: readonly ErrorCode[], schema: Json): Json {
  return Object.fromEntries(
    codes.map((code) => [
      String(statusByCode[code]),
      {
        description: `\`${code}\``,
        headers: {
          ...requestIdHeader,
          ...(code === 'rate_limit_exceeded' || code === 'unavailable'
            ? { 'Retry-After': { description: 'Whole seconds, at least 1.', schema: { type: 'integer', minimum: 1 } } }
            : {}),
          ...(code === 'gone' ? goneHeaders : {}),
        },
        content: { 'application/json': { schema } },
      },
    ]),
  )
}
