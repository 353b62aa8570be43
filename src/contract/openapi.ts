import type { TObject, TSchema } from 'typebox'
import { type ErrorCode, statusByCode } from '../errors.js'
import { listErrors, listPaths, type Route, type RouteTable } from './route.js'
import { ErrorEnvelope } from './schemas.js'

type Json = Record<string, unknown>

type Use = (schema: TSchema) => Json

type NamedSchema = TSchema & { $id?: string; $schema?: string; $defs?: Readonly<Record<string, TSchema>> }

const requestIdHeader = { 'X-Request-ID': { $ref: '#/components/headers/X-Request-ID' } }

/**
 * Renders the routes as an OpenAPI 3.1 document. TypeBox schemas are included unchanged, since they are JSON Schema 2020-12.
 * A schema with an `$id` becomes a component of that name, and each of its `$defs` another component: most client
 * generators do not resolve a reference against an `$id` inside the document.
 */
export function buildOpenApi(routes: RouteTable, version: string): Json {
  const schemas: Json = {}
  const use = (schema: TSchema): Json => {
    const { $id, $schema: _, $defs = {}, ...body } = schema as NamedSchema
    if ($id === undefined) return nameParts(schema, use)
    if (schemas[$id] === undefined) {
      schemas[$id] = nameParts(body, use, $id)
      for (const [part, definition] of Object.entries($defs)) {
        const name = namePart($id, part)
        if (schemas[name] !== undefined) throw new RangeError(`two schemas have the name ${name}`)
        schemas[name] = nameParts(definition, use, $id)
      }
    }
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
          description:
            'ID of the call: the ID that was sent, if it has 1 to 128 of A-Z a-z 0-9 . _ -, otherwise a new one.',
          schema: { type: 'string' },
        },
        'Idempotent-Replayed': {
          description: 'Present if this is the answer to an earlier request with the same Idempotency-Key.',
          schema: { type: 'string', const: 'true' },
        },
      },
      parameters: {
        'X-Request-ID': {
          name: 'X-Request-ID',
          in: 'header',
          description: 'ID of the call, used in the logs of both sides.',
          schema: { type: 'string' },
        },
        'Idempotency-Key': {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'The same request with the same key is performed once; within 24 hours it gets the same answer.',
          schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
        },
      },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key made with `svc key create`.' },
      },
    },
  }
}

/** Replaces the named subschemas and the `$defs` of `owner` by references to their components. */
function nameParts(schema: object, use: Use, owner = ''): Json {
  const name = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(name)
    if (typeof part !== 'object' || part === null) return part
    return '$id' in part ? use(part as TSchema) : nameParts(part, use, owner)
  }
  const refer = (reference: string) =>
    reference.replace(/^#\/\$defs\/(.+)/, (_, part) => `#/components/schemas/${namePart(owner, part)}`)
  return Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [
      key,
      key === '$ref' && typeof part === 'string' ? refer(part) : name(part),
    ]),
  )
}

/** Returns `HealthDetailInsightRequestActivityDay` for `activity-day` of `HealthDetailInsightRequest`. */
function namePart(owner: string, part: string): string {
  return owner + part.replaceAll(/(?:^|\W+)(\w)/g, (_, letter: string) => letter.toUpperCase())
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

/** Callers may omit fields with a default. */
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

/** The schema of a body as callers send it. */
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
        description: status === '503' ? 'Out of service' : 'Success',
        headers,
        ...(schema === null ? {} : { content: { 'application/json': { schema: use(schema) } } }),
      },
    ]),
  )
}

const goneHeaders: Json = {
  Deprecation: { description: 'Date of retirement, as `@` and seconds since 1970.', schema: { type: 'string' } },
  Sunset: { description: 'Date of retirement, as an HTTP date.', schema: { type: 'string' } },
  Link: { description: 'The successor, as `rel="successor-version"`.', schema: { type: 'string' } },
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
