import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { routes as allRoutes } from '../../src/contract/index.js'
import { buildOpenApi } from '../../src/contract/openapi.js'
import { defineRoute, listPaths, type Route } from '../../src/contract/route.js'

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

// A document is read as what it is printed as.
const print = (table: Readonly<Record<string, Route>>) => JSON.parse(JSON.stringify(buildOpenApi(table, '1.2.3')))
const document = print(routes)
const openapi = suite('OpenAPI document')

openapi('gives every path of a route an operation with an ID of its own', () => {
  assert.equal(Object.keys(document.paths), [
    '/v1/avatar/generate',
    '/v1/avatars/generate',
    '/avatars',
    '/v1/tasks/{task_id}',
  ])
  assert.is(document.paths['/v1/avatar/generate'].post.operationId, 'createAvatar')
  assert.is(document.paths['/v1/avatars/generate'].post.operationId, 'createAvatarAlias')
  assert.is(document.paths['/avatars'].post.operationId, 'createAvatarAlias2')
  assert.equal(Object.keys(document.paths['/v1/tasks/{task_id}']), ['get', 'delete'])
})

openapi('describes a body as JSON and as a form with files', () => {
  const { content } = document.paths['/v1/avatar/generate'].post.requestBody
  assert.equal(content['application/json'].schema, { $ref: '#/components/schemas/AvatarRequest' })
  assert.equal(document.components.schemas.AvatarRequest.required, ['species'])
  const { schema } = content['multipart/form-data']
  assert.equal(schema.required, ['species'])
  assert.equal(schema.properties.source_image, { type: 'string', format: 'binary' })
  assert.equal(schema.properties.pose, { enum: ['all', 'lying'], default: 'all' })
})

openapi('describes parameters, of which those with a default may be left out', () => {
  assert.equal(document.paths['/v1/tasks/{task_id}'].get.parameters, [
    { name: 'task_id', in: 'path', required: true, schema: { type: 'string', maxLength: 128 } },
    { name: 'user_id', in: 'query', required: true, schema: { type: 'string' } },
    { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
    { $ref: '#/components/parameters/X-Request-ID' },
  ])
})

openapi('describes what a route can answer', () => {
  const { responses, parameters } = document.paths['/v1/avatar/generate'].post
  assert.equal(Object.keys(responses), ['200', '401', '403', '409', '413', '422', '429', '500', '503'])
  assert.ok(responses['200'].headers['Idempotent-Replayed'])
  assert.equal(parameters.at(-1), { $ref: '#/components/parameters/Idempotency-Key' })
  const deleted = document.paths['/v1/tasks/{task_id}'].delete.responses
  assert.equal(Object.keys(deleted), ['204', '401', '403', '404', '409', '429', '500', '503'])
  assert.is(deleted['204'].content, undefined)
})

for (const [what, table] of [
  ['the test’s routes', routes],
  ['all routes', allRoutes],
] as const) {
  openapi(`holds together for ${what}`, () => {
    const whole = print(table)
    const operations = Object.values<Record<string, { operationId: string }>>(whole.paths).flatMap(Object.values)
    assert.is(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
    for (const [, ref = ''] of JSON.stringify(whole).matchAll(/"\$ref":"#(\/components\/[^"]+)"/g)) {
      const found = ref
        .split('/')
        .slice(1)
        .reduce((node, name) => node?.[name], whole)
      assert.ok(found, ref)
    }
    for (const route of Object.values<Route>(table)) {
      for (const path of listPaths(route)) {
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        assert.equal(names, Object.keys(route.params?.properties ?? {}), path)
      }
    }
  })
}

openapi('is a document that a validator of JSON Schema 2020-12 can load, and every name in it leads somewhere', () => {
  const document = buildOpenApi(allRoutes, '1.0.0')
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'https://svc.test/openapi.json')
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#\/components\/schemas\/\w+)"/g)]
  assert.ok(references.length > 20)
  for (const [, reference] of references) {
    assert.type(ajv.compile({ $ref: `https://svc.test/openapi.json${reference}` }), 'function')
  }
})

openapi.run()
