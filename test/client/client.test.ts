import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, postJson, Refusal } from '../../src/client/client.js'
import { createLocalTransport, createNetworkTransport } from '../../src/client/transport.js'

const client = suite('client')

/** A server on loopback that answers every request equally and keeps the last one. */
let answer: readonly [status: number, body: string]
const seen = { method: '', url: '', authorization: '', contentType: '', body: '' }
const server = createServer(async (request, response) => {
  const { method, url, headers } = request
  const body = Buffer.concat(await request.toArray()).toString()
  Object.assign(seen, { method, url, authorization: headers.authorization, contentType: headers['content-type'], body })
  response.writeHead(answer[0], { 'x-request-id': 'req_1', connection: 'close' }).end(answer[1])
})
let url = ''
client.before(async () => {
  url = await listen(server)
})
client.after(() => void server.close())

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serverAt = (url: string) => ({ transport: createNetworkTransport(url), key: 'k' })
const post = (url: string, body: string) => postJson(serverAt(url), '/v1/x', body)

client('posts the text unchanged, with the key', async () => {
  answer = [200, '{"summary":"Fine."}']
  const response = { status: 200, requestId: 'req_1', retryAfterSeconds: undefined, body: { summary: 'Fine.' } }
  assert.equal(await post(`${url}/base/`, '{"a": 1}'), response)
  assert.equal(seen, {
    ...{ method: 'POST', url: '/base/v1/x', authorization: 'Bearer k' },
    ...{ contentType: 'application/json', body: '{"a": 1}' },
  })
})

client('fills in the parameters of a path and omits undefined ones', async () => {
  answer = [200, '{}']
  const params = { task_id: 'a/../b?c' }
  await call(serverAt(url), 'getDiaryTask', { params, query: { pet_id: 'rex', user_id: undefined } })
  assert.equal([seen.method, seen.url], ['GET', '/v1/pet-diary-images/tasks/a%2F..%2Fb%3Fc?pet_id=rex'])
})

client('returns an answer that is not JSON', async () => {
  answer = [502, '<h1>Bad gateway</h1>']
  const { status, body } = await post(url, '{}')
  assert.equal([status, body], answer)
})

const refusals: readonly (readonly [status: number, body: string, code: string, message: RegExp])[] = [
  [404, '{"error":{"code":"not_found","message":"No.","request_id":"req_1"}}', 'not_found', /^No\.$/],
  [502, '<h1>Bad gateway</h1>', 'provider_error', /answered 502 without an error of the contract, as a proxy does\.$/],
  [418, '{"error":{"code":"teapot"}}', 'unavailable', /answered 418/],
]
for (const [status, body, code, message] of refusals) {
  client(`reports the error of a service that answers ${status}`, async () => {
    answer = [status, body]
    const error: unknown = await call(serverAt(url), 'listModels').catch((reason) => reason)
    if (!(error instanceof Refusal)) throw new Error('was not refused')
    assert.equal([error.code, error.requestId], [code, 'req_1'])
    assert.match(error.message, message)
  })
}

client('reports a page from another service as unavailable, with any status', async () => {
  for (const status of [200, 301, 404, 500]) {
    answer = [status, '<h1>Welcome</h1>']
    const error: unknown = await call(serverAt(url), 'listModels').catch((reason) => reason)
    assert.is(error instanceof Refusal, false)
    assert.match(
      String(error),
      /The server at http:\/\/127\.0\.0\.1:\d+\/ is not svc: it answered \d+ without a JSON object\. [^<]*$/,
    )
  }
})

client('opens the address of a file in process, for any public URL', async () => {
  const opened: string[] = []
  const transport = createLocalTransport((request) => {
    opened.push(request.url)
    return new Response('')
  }, 'http://127.0.0.1:8787/')
  await transport.open('https://pets.example.com/base/objects/ai-gateway/a.png?expires=1&signature=s')
  assert.equal(opened, ['http://127.0.0.1:8787/objects/ai-gateway/a.png?expires=1&signature=s'])
})

client('reports a connection that was closed in the middle of a response', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"half":', () => response.destroy())
  })
  const url = await listen(server)
  const works = [() => post(url, '{}'), () => createNetworkTransport(url).open(`${url}/objects/a.png?signature=s`)]
  for (const work of works) {
    const error = await work().catch((reason) => reason)
    assert.is(error?.code, 'unavailable')
    assert.is(
      error?.message,
      `The server at ${url} did not complete its response: the connection was closed. Try again.`,
    )
  }
  server.close()
  await once(server, 'close')
})

const wrong: readonly (readonly [url: string, code: string, message: RegExp])[] = [
  ['http://127.0.0.1:9', 'unavailable', /No server answers at http:\/\/127\.0\.0\.1:9\. Start one with "svc serve"/],
  ['127.0.0.1:8787', 'invalid_request', /--url must be a URL such as/],
  ['ftp://127.0.0.1', 'invalid_request', /--url must be a URL such as/],
  ['http://', 'invalid_request', /--url must be a URL such as/],
]
for (const [url, code, message] of wrong) {
  client(`explains the mistake in ${url}`, async () => {
    const error = await Promise.resolve()
      .then(() => post(url, '{}'))
      .catch((reason) => reason)
    assert.is(error?.code, code)
    assert.match(error?.message, message)
  })
}

client.run()
