import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { routes as allRoutes } from '../../src/contract/index.js'
import { buildOpenApi } from '../../src/contract/openapi.js'
import { defineRoute, listPaths, type Route } from '../../src/contract/route.js'
import { payloadSchema } from '../../src/insight/index.js'
import { metrics, viewWindows } from '../../src/insight/types.js'

const created = Type.Object({ task_id: Type.String() }, { $id: 'TaskCreated' })
const routes = {
  createAvatar: defineRoute({
    method: 'POST',
    path: '/v1/avatar/generate',
    aliases: ['/v1/avatars/generate', '/avatars'],
    summary: 'New',
    access: { group: 'pet-avatar', model: 'svc-avatar', allow: ['image'] },
    body: Type.Object(
      { species: Type.Enum(['dog', 'cat']), pose: Type.Enum(['all', 'lying'], { default: 'all' }) },
      { $id: 'AvatarRequest' },
    ),
    files: ['source_image'],
    idempotent: true,
    replies: { 200: created },
  }),
  getTask: defineRoute({
    method: 'GET',
    path: '/v1/tasks/{task_id}',
    summary: 'One',
    access: { group: 'pet-avatar' },
    params: Type.Object({ task_id: Type.String({ maxLength: 128 }) }),
    query: Type.Object({ user_id: Type.String(), page: Type.Integer({ minimum: 1, default: 1 }) }),
    replies: { 200: created },
  }),
  deleteTask: defineRoute({
    method: 'DELETE',
    path: '/v1/tasks/{task_id}',
    summary: 'Away',
    access: { group: 'pet-avatar' },
    params: Type.Object({ task_id: Type.String() }),
    replies: { 204: null },
    errors: ['conflict'],
  }),
}

// Tests read the document as printed.
const print = (table: Readonly<Record<string, Route>>) => JSON.parse(JSON.stringify(buildOpenApi(table, '1.2.3')))
const document = print(routes)
const whole = print(allRoutes)
const nodes = [...visit(whole, '#')]
interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly { readonly description?: string }[]
}
// biome-ignore lint/suspicious/noExplicitAny: the document is read member by member.
type Json = any
const openapi = suite('OpenAPI document')

openapi('gives every path of a route an operation with a unique ID', () => {
  assert.equal(Object.keys(document.paths), [
    '/v1/avatar/generate',
    '/v1/avatars/generate',
    '/avatars',
    '/v1/tasks/{task_id}',
  ])
  assert.is(document.paths['/v1/avatar/generate'].post.operationId, 'createAvatar')
  assert.is(document.paths['/v1/avatars/generate'].post.operationId, 'createAvatarWithFile')
  assert.is(document.paths['/avatars'].post.operationId, 'createAvatarWithFile2')
  assert.equal(Object.keys(document.paths['/v1/tasks/{task_id}']), ['get', 'delete'])
})

openapi('describes a body as JSON at the path of a route, and as a form with files at its aliases', () => {
  const { content } = document.paths['/v1/avatar/generate'].post.requestBody
  assert.equal(content, { 'application/json': { schema: { $ref: '#/components/schemas/AvatarRequest' } } })
  assert.equal(document.components.schemas.AvatarRequest.required, ['species'])
  for (const alias of ['/v1/avatars/generate', '/avatars']) {
    const { content } = document.paths[alias].post.requestBody
    const encoding = { source_image: { contentType: 'image/jpeg, image/png, image/webp' } }
    const schema = { $ref: '#/components/schemas/AvatarRequestForm' }
    assert.equal(content, { 'multipart/form-data': { schema, encoding } })
  }
  const form = document.components.schemas.AvatarRequestForm
  assert.equal(form.required, ['species'])
  assert.equal(form.properties.source_image, { type: 'string', format: 'binary', description: 'The photo.' })
  assert.equal(form.properties.pose, { type: 'string', enum: ['all', 'lying'], default: 'all' })
})

openapi('shows an optional text as two types, and a choice of constants with its discriminator', () => {
  const named = (kind: string) => Type.Object({ kind: Type.Literal(kind) }, { $id: kind })
  const choice = defineRoute({
    ...routes.getTask,
    replies: { 200: Type.Union([named('Single'), named('Library')], { $id: 'Choice' }) },
    query: Type.Object({ user_id: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])) }),
    body: Type.Object({ name: Type.Union([Type.String({ description: 'Name.' }), Type.Null()]) }),
  })
  const { paths, components } = print({ choice })
  const { parameters, requestBody } = paths['/v1/tasks/{task_id}'].get
  // Nothing in a query is null.
  assert.equal(parameters[1].schema, { type: 'string', minLength: 1 })
  const { properties } = requestBody.content['application/json'].schema
  assert.equal(properties, { name: { type: ['string', 'null'], description: 'Name.' } })
  assert.equal(components.schemas.Choice, {
    oneOf: [{ $ref: '#/components/schemas/Single' }, { $ref: '#/components/schemas/Library' }],
    discriminator: {
      propertyName: 'kind',
      mapping: { Single: '#/components/schemas/Single', Library: '#/components/schemas/Library' },
    },
  })
})

openapi('describes parameters, optional if they have a default', () => {
  assert.equal(document.paths['/v1/tasks/{task_id}'].get.parameters, [
    { name: 'task_id', in: 'path', required: true, schema: { type: 'string', maxLength: 128 } },
    { name: 'user_id', in: 'query', required: true, schema: { type: 'string' } },
    { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
    { $ref: '#/components/parameters/X-Request-ID' },
  ])
})

openapi('describes the answers of a route', () => {
  const { responses, parameters } = document.paths['/v1/avatar/generate'].post
  assert.equal(Object.keys(responses), ['200', '401', '403', '405', '409', '413', '415', '422', '429', '500', '503'])
  assert.ok(responses['200'].headers['Idempotent-Replayed'])
  assert.equal(parameters.at(-1), { $ref: '#/components/parameters/Idempotency-Key' })
  const deleted = document.paths['/v1/tasks/{task_id}'].delete.responses
  assert.equal(Object.keys(deleted), ['204', '401', '403', '404', '405', '409', '429', '500', '503'])
  assert.is(deleted['204'].content, undefined)
  const limits = Object.keys(deleted['204'].headers).filter((name) => name.startsWith('X-RateLimit'))
  assert.equal(limits, ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
  assert.equal(deleted['405'], { $ref: '#/components/responses/MethodNotAllowed' })
  assert.ok(document.components.responses.MethodNotAllowed.headers.Allow)
})

openapi('describes every operation and parameter, and groups operations by tags', () => {
  const tags = new Set(whole.tags.map(({ name }: { name: string }) => name))
  for (const [path, item] of Object.entries<Record<string, Operation>>(whole.paths)) {
    for (const { operationId, description, tags: own, parameters } of Object.values(item)) {
      assert.ok(description, operationId)
      assert.equal(own.filter((name) => tags.has(name)).length, 1, path)
      assert.equal(
        parameters.filter((one) => !('$ref' in one) && one.description === undefined),
        [],
        path,
      )
    }
  }
})

openapi('gives every enum and constant a type', () => {
  const untyped = nodes.filter(({ node }) => (Array.isArray(node.enum) || 'const' in node) && node.type === undefined)
  assert.equal(
    untyped.map(({ pointer }) => pointer).filter((pointer) => !pointer.includes('/if/')),
    [],
  )
})

openapi('has patterns that compile with the flag `u` and without it', () => {
  const patterns = nodes.flatMap(({ node }) => (typeof node.pattern === 'string' ? [node.pattern] : []))
  assert.ok(patterns.length > 10)
  for (const pattern of patterns) for (const flags of ['u', '']) new RegExp(pattern, flags)
})

openapi('accepts every character in a user ID, with the flag `u` and without it', () => {
  const { pattern } = whole.components.schemas.HomeInsightRequest.properties.user_id
  const [withFlag, withoutFlag] = ['u', ''].map((flags) => new RegExp(pattern, flags))
  for (let point = 0; point <= 0x10ffff; point = point === 0xd7ff ? 0xe000 : point + 1) {
    const id = String.fromCodePoint(point)
    if (!withFlag?.test(id) || !withoutFlag?.test(id)) assert.unreachable(`U+${point.toString(16)}`)
  }
  for (const id of ['', 'ann', '安', '🐕', '👩🏿‍🦱', 'a🐕b', '\ud7ff\ue000\uffff\u{10000}\u{10ffff}']) {
    assert.equal([withFlag?.test(id), withoutFlag?.test(id)], [true, true], id)
  }
  for (const id of ['\ud800', 'a\udc00', '\udc00\ud800', '🐕\udfff'])
    assert.not.ok(withFlag?.test(id), JSON.stringify(id))
})

for (const [what, table] of [
  ['the test’s routes', routes],
  ['all routes', allRoutes],
] as const) {
  openapi(`is consistent for ${what}`, () => {
    const { paths } = print(table)
    const operations = Object.values<Record<string, { operationId: string }>>(paths).flatMap(Object.values)
    assert.is(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
    for (const route of Object.values<Route>(table)) {
      for (const path of listPaths(route)) {
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        assert.equal(names, Object.keys(route.params?.properties ?? {}), path)
      }
    }
  })
}

openapi('describes the document itself with its ETag, and with 304 for callers that have it', () => {
  const { parameters, responses } = whole.paths['/openapi.json'].get
  assert.equal(parameters.at(-1), { $ref: '#/components/parameters/If-None-Match' })
  for (const status of ['200', '304']) assert.ok(responses[status].headers.ETag, status)
  assert.is(responses['304'].content, undefined)
})

openapi('describes the header of faults for every answer that a rule can change', () => {
  for (const { headers } of Object.values<Json>(whole.components.responses)) assert.ok(headers['Svc-Fault'])
  for (const [path, item] of Object.entries<Json>(whole.paths)) {
    for (const { responses } of Object.values<Json>(item)) {
      for (const { headers } of Object.values<Json>(responses).filter((one) => 'headers' in one))
        assert.is('Svc-Fault' in headers, !path.startsWith('/_svc/'), path)
    }
  }
})

openapi('names the metrics, windows and choices of answers', () => {
  const { schemas } = whole.components
  const { metric, viewWindow } = schemas.HealthDetailInsight.properties
  assert.equal(metric.enum, [...metrics])
  assert.equal(viewWindow.enum, [...viewWindows])
  for (const name of ['DiaryCreation', 'DiaryTaskResult']) assert.is(schemas[name].discriminator.propertyName, 'kind')
})

openapi('has no comments on rules, and nothing about null in forms and parameters', () => {
  assert.equal(
    nodes.filter(({ node }) => '$comment' in node).map(({ pointer }) => pointer),
    [],
  )
  const parameters = nodes.filter(({ node }) => node.in === 'query').map(({ node }) => node)
  assert.not.match(JSON.stringify([whole.components.schemas.AvatarRequestForm.properties, parameters]), /\bnull\b/)
})

openapi('resolves every reference', () => {
  const targets = new Set(nodes.map(({ pointer }) => pointer))
  const references = nodes.flatMap(({ node, pointer }) => ('$ref' in node ? [{ pointer, to: node.$ref }] : []))
  assert.ok(references.length > 100)
  assert.equal(
    references.filter(({ to }) => !targets.has(String(to))),
    [],
  )
})

openapi('names schemas only as components, never inside another', () => {
  const inner = nodes.filter(({ node }) => ['$id', '$schema', '$defs'].some((keyword) => keyword in node))
  assert.equal(
    inner.map(({ pointer }) => pointer),
    [],
  )
  const names = Object.values<object>(whole.components).flatMap(Object.keys)
  assert.equal(
    names.filter((name) => !/^[A-Za-z0-9._-]+$/.test(name)),
    [],
  )
  for (const name of ['HealthDetailInsightRequest', 'ActivityDayRequest', 'ActivityDayMetrics']) {
    assert.ok(names.includes(name), name)
  }
})

openapi('conforms to OpenAPI 3.1, and its schemas to JSON Schema 2020-12', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const isDocument = ajv.compile(
    JSON.parse(readFileSync(new URL('../schemas/openapi-3.1.json', import.meta.url), 'utf8')),
  )
  assert.ok(isDocument(whole), JSON.stringify(isDocument.errors))
  for (const { node, pointer } of nodes) {
    const inPlace = /\/(?:schema|components\/schemas\/[^/]+)$/.test(pointer)
    if (inPlace) assert.ok(ajv.validateSchema(node), `${pointer}: ${JSON.stringify(ajv.errors)}`)
  }
})

openapi('describes a health payload like the published JSON Schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(whole, 'https://svc.test/openapi.json')
  const { schema } = whole.paths['/v1/health-detail-insights/generate'].post.requestBody.content['application/json']
  assert.equal(schema, { $ref: '#/components/schemas/HealthDetailInsightRequest' })
  const accepts = ajv.compile({ $ref: `https://svc.test/openapi.json${schema.$ref}` })
  const isPublished = ajv.compile(payloadSchema)
  const verdicts = new Set<boolean>()
  for (const file of ['insight', 'invalid', 'warnings'].flatMap(listFixtures)) {
    const payload = JSON.parse(readFileSync(file, 'utf8'))
    verdicts.add(accepts(payload))
    assert.is(accepts(payload), isPublished(payload), file.pathname)
  }
  assert.is(verdicts.size, 2)
})

openapi('rejects two schemas with the same name', () => {
  const part = Type.Object({}, { $id: 'ReportDay' })
  const $defs = { 'report-day': Type.String() }
  const report = Type.Object({ day: Type.Unsafe({ $ref: '#/$defs/report-day' }) }, { $id: 'Report', $defs })
  const clash = defineRoute({ ...routes.createAvatar, body: Type.Object({ part, report }) })
  assert.throws(() => buildOpenApi({ clash }, '1'), /two schemas have the name ReportDay/)
})

const listFixtures = (folder: string) => {
  const place = new URL(`../../fixtures/${folder}/`, import.meta.url)
  return readdirSync(place)
    .filter((name) => name !== 'payload-json.json' && name !== 'index.json')
    .map((name) => new URL(name, place))
}

/** Lists every object and array of a document with its JSON Pointer. */
function* visit(node: object, pointer: string): Generator<{ node: Record<string, unknown>; pointer: string }> {
  yield { node: node as Record<string, unknown>, pointer }
  for (const [key, child] of Object.entries(node)) {
    const name = key.replaceAll('~', '~0').replaceAll('/', '~1')
    if (typeof child === 'object' && child !== null) yield* visit(child, `${pointer}/${name}`)
  }
}

openapi.run()
