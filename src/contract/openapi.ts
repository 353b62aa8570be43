import type { TObject, TSchema } from 'typebox'
import type { EndpointGroup } from './access.js'
import type { OperationExamples } from './openapi/examples.js'
import { addSchemaExamples, type Examples } from './openapi/examples.js'
import { describeErrorResponses, describeResponses, headers } from './openapi/responses.js'
import type { Use } from './openapi/schemas.js'
import { createSchemas, type Json } from './openapi/schemas.js'
import type { Route } from './route.js'
import { listPaths, type RouteTable } from './route.js'
import { ErrorEnvelope } from './schemas.js'

const noExamples: Examples = { operations: {}, errors: {} }

/** Renders the routes as an OpenAPI 3.1 document. `serverUrl` is the address that callers use, if it is known. */
export function buildOpenApi(
  routes: RouteTable,
  version: string,
  examples: Examples = noExamples,
  serverUrl = '/',
): Json {
  const schemas = createSchemas()
  const paths: Record<string, Json> = {}
  for (const [name, route] of Object.entries(routes)) {
    for (const [index, path] of listPaths(route).entries()) {
      const operation = describeOperation({ name, route, index, use: schemas.use, examples })
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
    }
  }
  const error = schemas.use(ErrorEnvelope)
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version,
      description: 'HTTP/JSON gateway for AI-backed pet features.',
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: listTags(Object.values(routes)),
    paths,
    components: {
      schemas: schemas.components,
      responses: describeErrorResponses(error, examples),
      headers,
      parameters: {
        ...headerParameter('X-Request-ID', 'ID of the call, used in the logs of both sides.'),
        ...headerParameter(
          'Idempotency-Key',
          'The same request with the same key is performed once; within 24 hours it gets the same response.',
          '^[ -~]{1,255}$',
        ),
        ...headerParameter(
          'If-None-Match',
          'The `ETag` of an earlier response: if it is still the same, the response is 304.',
        ),
      },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key made with `svc key create`.' },
      },
    },
  }
  addSchemaExamples(document, examples.schemas)
  return document
}

function headerParameter(name: string, description: string, pattern?: string): Json {
  return { [name]: { name, in: 'header', description, schema: { type: 'string', ...(pattern && { pattern }) } } }
}

/** An operation of a document: a route at one of its paths. */
interface DescribedRoute {
  readonly name: string
  readonly route: Route
  /** The number of the path, 0 for the route's own. */
  readonly index: number
  readonly use: Use
  readonly examples: Examples
}

/**
 * Describes an operation. A route that accepts files accepts JSON and forms at each path, but generators of clients use only
 * the first content type of an operation. So its own path shows JSON, and its alias the form.
 */
function describeOperation({ name, route, index, use, examples }: DescribedRoute): Json {
  const isForm = route.files !== undefined && index > 0
  const example = examples.operations[name] ?? {}
  return {
    operationId: index === 0 ? name : `${name}${isForm ? 'WithFile' : 'Alias'}${index === 1 ? '' : index}`,
    summary: isForm ? `${route.summary}, sent as a file` : route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: [tagOf(route)],
    ...(route.retired !== undefined && { deprecated: true }),
    ...(route.access === 'public' ? { security: [] } : { security: [{ apiKey: [] }], 'x-access': route.access }),
    parameters: describeParameters(route, use, example),
    ...(route.body !== undefined && {
      requestBody: {
        required: true,
        content: isForm ? describeForm(route, use, example) : describeJson(route.body, use, example),
      },
    }),
    responses: describeResponses(route, use, example),
  }
}

function describeParameters(
  { params, query, idempotent, conditional }: Route,
  use: Use,
  example: OperationExamples,
): Json[] {
  const describe = (place: 'path' | 'query', schema: TObject | undefined) =>
    Object.entries(schema?.properties ?? {}).map(([name, node]) => {
      const { description, ...value } = withoutNull(use(node))
      const given = example[place]?.[name]
      return {
        name,
        in: place,
        ...(description !== undefined && { description }),
        ...((place === 'path' || isRequired(schema, name)) && { required: true }),
        schema: value,
        ...(given !== undefined && { example: given }),
      }
    })
  const headers = [
    'X-Request-ID',
    ...(idempotent ? ['Idempotency-Key'] : []),
    ...(conditional ? ['If-None-Match'] : []),
  ]
  return [
    ...describe('path', params),
    ...describe('query', query),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

/** A query has texts only: nothing in it is null. */
function withoutNull({ type, description, ...node }: Json): Json {
  const types = [type ?? []].flat().filter((name) => name !== 'null')
  return {
    ...(types.length > 0 && { type: types[0] }),
    ...node,
    ...(typeof description === 'string' && { description: description.replace('omitted or null', 'omitted') }),
  }
}

/** Callers may omit fields with a default. */
function isRequired(schema: TObject | undefined, name: string): boolean {
  const { required = [], properties = {} }: { required?: readonly string[]; properties?: TObject['properties'] } =
    schema ?? {}
  return required.includes(name) && !('default' in (properties[name] ?? {}))
}

function describeJson(body: TSchema, use: Use, { body: example }: OperationExamples): Json {
  return { 'application/json': { schema: use(toSent(body)), ...(example !== undefined && { example }) } }
}

const photoTypes = 'image/jpeg, image/png, image/webp'

/** The fields of a form are texts: none of them is null, and the file takes the place of its URL. */
function describeForm({ files = [], body }: Route, use: Use, { form }: OperationExamples): Json {
  const { $id = '', properties, ...schema } = toSent(body as TObject) as TObject & { $id?: string }
  const fields = Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, withoutNull(use(node))]))
  const parts = Object.fromEntries(
    files.map((name) => [name, { type: 'string', format: 'binary', description: 'The photo.' }]),
  )
  const named = { ...schema, $id: `${$id}Form`, properties: { ...fields, ...parts } } as unknown as TSchema
  const encoding = Object.fromEntries(files.map((name) => [name, { contentType: photoTypes }]))
  return { 'multipart/form-data': { schema: use(named), encoding, ...(form !== undefined && { example: form }) } }
}

/** The schema of a body as callers send it. */
function toSent(body: TSchema): TSchema {
  const { required } = body as Partial<TObject>
  return required === undefined
    ? body
    : { ...body, required: required.filter((name) => isRequired(body as TObject, name)) }
}

/** The groups of operations in `/openapi.json`, in its order. */
const descriptions = {
  Service: 'State of the server, this document, and the models that a key may use.',
  Avatars: 'Pictures of a pet in up to four poses, made from a photo.',
  Animations: 'Clips made from the pictures of an avatar.',
  'Diary pictures': 'Pictures of a pet in the scenes of its diary.',
  'Home cards': "Short texts for a pet's home page.",
  'Health insights': 'One paragraph about a metric of a pet, from rules and a fixed catalog of texts.',
  'Records of the gateway': 'Usage and calls, for keys made with `--admin`.',
} as const
type Tag = keyof typeof descriptions

const tagByGroup: Readonly<Record<EndpointGroup, Tag>> = {
  models: 'Service',
  'pet-avatar': 'Avatars',
  'pet-animation': 'Animations',
  'pet-diary': 'Diary pictures',
  'app-metadata': 'Diary pictures',
  'home-insights': 'Home cards',
  'ai-insights': 'Home cards',
  'health-detail-insights': 'Health insights',
}

/** Returns the group that the document shows a route in. */
function tagOf({ access }: Route): Tag {
  if (access === 'public') return 'Service'
  return access === 'admin' ? 'Records of the gateway' : tagByGroup[access.group]
}

/** Lists the groups of some routes. */
function listTags(routes: readonly Route[]): { readonly name: Tag; readonly description: string }[] {
  const used = new Set(routes.map(tagOf))
  return Object.entries(descriptions)
    .map(([name, description]) => ({ name: name as Tag, description }))
    .filter(({ name }) => used.has(name))
}
