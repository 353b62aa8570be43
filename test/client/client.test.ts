import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { postJson } from '../../src/client/client.js'

const client = suite('client')

/** A server on loopback that answers every request the same and keeps the last one. */
async function openServer(status: number, body: string) {
  const seen = { method: '', url: '', authorization: '', contentType: '', body: '' }
  const server: Server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    Object.assign(seen, {
      method: request.method,
      url: request.url,
      authorization: request.headers.authorization,
      contentType: request.headers['content-type'],
      body: text,
    })
    response.writeHead(status, { 'x-request-id': 'req_1', connection: 'close' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, seen, close }
}

client('posts the text as it is, with the key', async () => {
  const { url, seen, close } = await openServer(200, '{"summary":"Fine."}')
  const answer = await postJson({ url: `${url}/base/`, key: 'k' }, '/v1/x', '{"a": 1}')
  await close()
  assert.equal(answer, { status: 200, requestId: 'req_1', body: { summary: 'Fine.' } })
  assert.equal(seen, {
    method: 'POST',
    url: '/base/v1/x',
    authorization: 'Bearer k',
    contentType: 'application/json',
    body: '{"a": 1}',
  })
})

client('hands on an answer that is no JSON', async () => {
  const { url, close } = await openServer(502, '<h1>Bad gateway</h1>')
  const answer = await postJson({ url, key: 'k' }, '/v1/x', '{}')
  await close()
  assert.equal([answer.status, answer.body], [502, '<h1>Bad gateway</h1>'])
})

const wrong: readonly (readonly [url: string, code: string, message: RegExp])[] = [
  ['http://127.0.0.1:9', 'unavailable', /No server answers at http:\/\/127\.0\.0\.1:9\. Start one with "svc serve"/],
  ['127.0.0.1:8787', 'invalid_request', /--url must be an address like/],
  ['ftp://127.0.0.1', 'invalid_request', /--url must be an address like/],
  ['http://', 'invalid_request', /--url must be an address like/],
]
for (const [url, code, message] of wrong) {
  client(`says what is wrong with ${url}`, async () => {
    const error = await postJson({ url, key: 'k' }, '/v1/x', '{}').then(
      () => undefined,
      (reason) => reason,
    )
    assert.is(error?.code, code)
    assert.match(error?.message, message)
  })
}

client.run()
