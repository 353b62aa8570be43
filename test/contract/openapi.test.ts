import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../src/contract/index.js'
import { buildOpenApi } from '../../src/contract/openapi.js'
import { defineRoute, listPaths, type Route } from '../../src/contract/route.js'
import { payloadSchema } from '../../src/insight/index.js'

// `test/golden/openapi.json` has the whole document; here is what must hold however it changes.
const whole = JSON.parse(JSON.stringify(buildOpenApi(routes, '1.2.3')))
const nodes = [...visit(whole, '#')]
interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly { readonly description?: string }[]
}
const openapi = suite('OpenAPI document')

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
  const found = untyped.map(({ pointer }) => pointer).filter((pointer) => !pointer.includes('/if/'))
  assert.equal(found, [])
})

openapi('has patterns that compile with the flag `u` and without it', () => {
  const patterns = nodes.flatMap(({ node }) => (typeof node.pattern === 'string' ? [node.pattern] : []))
  assert.ok(patterns.length > 10)
  for (const pattern of patterns) for (const flags of ['u', '']) new RegExp(pattern, flags)
})

openapi('accepts every character in a user ID, with the flag `u` and without it', () => {
  const { pattern } = whole.components.schemas.HomeInsightRequest.properties.user_id
  const [withFlag, withoutFlag] = ['u', ''].map((flags) => new RegExp(pattern, flags))
  const bounds = [0, 0x7f, 0x80, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10001, 0x10ffff]
  // Those of two units, and all others but the surrogates.
  const steps = Array.from({ length: 1000 }, (_, step) => [0x10000 + step * 1048, step * 55])
  const points = [...bounds, ...steps.flat()]
  const characters = points.map((point) => String.fromCodePoint(point))
  for (const id of [...characters, '', 'ann', '👩🏿‍🦱', 'a🐕b', '\ud7ff\ue000\uffff\u{10000}\u{10ffff}']) {
    assert.equal([withFlag?.test(id), withoutFlag?.test(id)], [true, true], id)
  }
  for (const id of ['\ud800', 'a\udc00', '\udc00\ud800', '🐕\udfff'])
    assert.not.ok(withFlag?.test(id), JSON.stringify(id))
})

openapi('gives every path an operation with an ID of its own and the parameters of the path', () => {
  const operations = Object.values<Record<string, Operation>>(whole.paths).flatMap(Object.values)
  assert.is(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  for (const route of Object.values<Route>(routes)) {
    for (const path of listPaths(route)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      assert.equal(names, Object.keys(route.params?.properties ?? {}), path)
    }
  }
})

openapi('has no comments on rules, and nothing about null in forms and parameters', () => {
  const commented = nodes.filter(({ node }) => '$comment' in node).map(({ pointer }) => pointer)
  assert.equal(commented, [])
  const parameters = nodes.filter(({ node }) => node.in === 'query').map(({ node }) => node)
  assert.not.match(JSON.stringify([whole.components.schemas.AvatarRequestForm.properties, parameters]), /\bnull\b/)
})

openapi('resolves every reference', () => {
  const targets = new Set(nodes.map(({ pointer }) => pointer))
  const references = nodes.flatMap(({ node, pointer }) => ('$ref' in node ? [{ pointer, to: node.$ref }] : []))
  assert.ok(references.length > 100)
  const broken = references.filter(({ to }) => !targets.has(String(to)))
  assert.equal(broken, [])
})

openapi('names schemas only as components, never inside another', () => {
  const inner = nodes.filter(({ node }) => ['$id', '$schema', '$defs'].some((keyword) => keyword in node))
  const pointers = inner.map(({ pointer }) => pointer)
  assert.equal(pointers, [])
  const names = Object.values<object>(whole.components).flatMap(Object.keys)
  const odd = names.filter((name) => !/^[A-Za-z0-9._-]+$/.test(name))
  assert.equal(odd, [])
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
  const clash = defineRoute({ ...routes.generateAvatar, body: Type.Object({ part, report }) })
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
