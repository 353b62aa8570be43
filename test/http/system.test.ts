// run: fleet
import { gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../src/contract/index.js'
import { payloadSchema } from '../../src/insight/index.js'
import { createSystemHandlers } from '../../src/server/handlers/system.js'
import { readError, startApp, type TestApp } from '../helpers/app.js'
import { assertGolden } from '../helpers/golden.js'
import { buildPayload } from '../helpers/payloads.js'

const system = suite('system routes')
let app: TestApp
system.before(async () => {
  app = await startApp()
})
system.after(() => app.close())
const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  app.app.fetch(new Request(`http://svc.test${path}`, { method, headers }))

system('reports its health with three fields and no key', async () => {
  const response = await app.get('/health')
  assert.is(response.status, 200)
  assert.equal(await response.json(), { status: 'ok', service: 'svc', version: '0.1.0' })
})

system('reports degraded with 503 when the database does not answer', async () => {
  const { getHealth } = createSystemHandlers({ isAlive: async () => false }, routes, '1.2.3', async () => false)
  assert.equal(await getHealth(), { status: 503, body: { status: 'degraded', service: 'svc', version: '1.2.3' } })
})

system('is ready with a database, until it stops', async () => {
  for (const path of ['/live', '/ready']) {
    const response = await app.get(path)
    assert.equal([response.status, await response.json()], [200, { status: 'ok' }])
  }
  const other = await startApp()
  const closed = other.close()
  const response = await other.get('/ready')
  assert.equal([response.status, await response.json()], [503, { status: 'unavailable' }])
  await closed
})

system('describes itself as OpenAPI 3.1', async () => {
  const response = await app.get('/openapi.json')
  assert.is(response.status, 200)
  // Its examples are recorded: `test/contract/examples.test.ts` compares them with the answers of a server.
  const document = JSON.parse(await response.text(), (key, value) => (/^examples?$/.test(key) ? undefined : value))
  assertGolden('openapi.json', `${JSON.stringify(document, null, 2)}\n`)
})

system('names its public address in its description, compressed to those who accept it', async () => {
  const other = await startApp({ variables: { SVC_PUBLIC_URL: 'https://pets.example.com/svc/' } })
  const response = await other.get('/openapi.json', { 'accept-encoding': 'gzip' })
  assert.is(response.headers.get('content-encoding'), 'gzip')
  const document = JSON.parse(gunzipSync(Buffer.from(await response.arrayBuffer())).toString())
  assert.equal(document.servers, [{ url: 'https://pets.example.com/svc' }])
  await other.close()
})

system(
  'serves the JSON Schema of a payload under its own address, with which Ajv tells valid from invalid',
  async () => {
    const response = await app.get('/health-detail-v3.schema.json')
    assert.equal([response.status, response.headers.get('cache-control')], [200, 'no-cache'])
    const schema = (await response.json()) as { readonly $id: string }
    assert.is(schema.$id, 'http://svc.test/health-detail-v3.schema.json')
    assert.equal({ ...schema, $id: payloadSchema.$id }, payloadSchema)
    const check = new Ajv2020({ strict: false }).compile(schema)
    const payload = { $schema: schema.$id, ...buildPayload({ metric: 'hr', viewWindow: 'week' }) }
    assert.ok(check(payload), JSON.stringify(check.errors))
    assert.not.ok(check({ ...payload, metric: 'pulse' }))
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
    assert.is((await app.get('/health-detail-v3.schema.json', headers)).status, 304)
  },
)

const types = { 'svc-general': 'text', 'svc-avatar': 'image', 'svc-animation': 'video' } as const
const visible: [string, { models?: string[]; capabilities?: string[] }, (keyof typeof types)[]][] = [
  ['everything', {}, ['svc-general', 'svc-avatar', 'svc-animation']],
  ['one alias', { models: ['svc-avatar'] }, ['svc-avatar']],
  ['images only', { capabilities: ['image'] }, ['svc-general', 'svc-avatar']],
  ['the animation alias without video', { models: ['svc-animation'], capabilities: ['image'] }, []],
]
system('lists the models of a key with their types', async () => {
  for (const [what, settings, ids] of visible) {
    const { text } = await app.createKey(settings)
    const models = await (await app.get('/v1/models', { authorization: `Bearer ${text}` })).json()
    assert.equal(models, { data: ids.map((id) => ({ id, type: types[id] })) }, what)
  }
})

system('answers unknown paths with 404, without a key', async () => {
  for (const path of ['/v1', '/v1/model', '/health/x', '/HEALTH', '/%zz', '/%', '/v1/health-detail-insights']) {
    const { status, code } = await readError(await send('GET', path))
    assert.equal([status, code], [404, 'not_found'], path)
  }
})

system("redirects / to the demo page, also below a proxy's path, without a key", async () => {
  for (const [method, path] of [
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/%2e%2e/'],
  ] as const) {
    const { status, headers, body } = await send(method, path)
    assert.equal([status, body], [302, null])
    assert.is(new URL(headers.get('location') ?? '', 'http://svc.test/below/').pathname, '/below/demo')
  }
})

system('answers other methods with 405 and the allowed ones', async () => {
  for (const [method, path, allow] of [
    ['POST', '/', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v1/models', 'GET, HEAD, OPTIONS'],
    ['PUT', '/v1/health-detail-insights/generate', 'POST, OPTIONS'],
  ] as const) {
    const response = await send(method, path)
    assert.is(response.headers.get('allow'), allow)
    const { status, code } = await readError(response)
    assert.equal([status, code], [405, 'method_not_allowed'], path)
  }
})

system('answers OPTIONS with the methods, and HEAD like GET without a body', async () => {
  const options = await send('OPTIONS', '/v1/models')
  assert.is(options.status, 204)
  assert.is(options.headers.get('allow'), 'GET, HEAD, OPTIONS')
  assert.ok(options.headers.get('x-request-id'))
  const head = await send('HEAD', '/health')
  assert.is(head.status, 200)
  assert.is(await head.text(), '')
  assert.is((await send('HEAD', '/v1/models')).status, 401)
})

system("keeps a caller's X-Request-ID, and makes one if it is missing or unusable", async () => {
  for (const id of ['a', 'A.b_c-9', 'x'.repeat(128)]) {
    assert.is((await app.get('/health', { 'x-request-id': id })).headers.get('x-request-id'), id)
  }
  const unusable = ['', 'a b', 'x'.repeat(129), 'ä', '{"a":1}', '../../etc', 'a, b', app.key, `a${app.key}`]
  for (const id of [undefined, ...unusable]) {
    const response = await app.get('/health', id === undefined ? {} : { 'x-request-id': id })
    assert.match(response.headers.get('x-request-id') ?? '', /^req_[0-9A-HJKMNP-TV-Z]{26}$/)
  }
})

system.run()
