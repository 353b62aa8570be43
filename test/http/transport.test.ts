// run: fleet
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startListening } from '../../src/server/node/listen.js'
import { startApp, type TestApp } from '../helpers/app.js'
import { buildPayload } from '../helpers/payloads.js'
import { openRaw } from '../helpers/raw.js'

const transport = suite('HTTP on the wire')
let app: TestApp
let port: number
const { emit } = process
transport.before(async () => {
  app = await startApp()
  port = (await app.app.listen()).port
})
transport.after(() => app.close())

const payload = JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'month' }))
const path = '/v1/health-detail-insights/generate'
const postHead = (headers: readonly string[], key = app.key) =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, ...headers, '', ''].join('\r\n')
const post = (body = payload, headers: readonly string[] = []) =>
  `${postHead([`Content-Length: ${Buffer.byteLength(body)}`, ...headers])}${body}`
const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1])
const requestIdsOf = (text: string) => [...text.matchAll(/\r\nx-request-id: (\S+)/gi)].map((match) => match[1])

/** Sends bytes on a new connection, and returns the input until the server closes it. */
async function exchange(bytes: string | Uint8Array): Promise<string> {
  const connection = openRaw(port)
  connection.write(bytes)
  return connection.ended()
}

/** Asserts that the server still answers a plain request. */
async function assertAlive(): Promise<void> {
  const text = await exchange('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  assert.match(text, /^HTTP\/1\.1 200 [\s\S]*"status":"ok"/)
}

transport('sends the length in bytes of a text', async () => {
  for (const name of ['Rex', 'José', '豆豆']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...JSON.parse(payload), petProfile: { name, species: 'dog' } }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.is(Number(response.headers.get('content-length')), bytes.length)
    assert.match(JSON.parse(bytes.toString()).summary, name)
  }
})

const unreadable: [what: string, bytes: () => string | Uint8Array, status: string][] = [
  ['no HTTP', () => 'hello\r\n\r\n', '400'],
  ['a TLS hello', () => Buffer.from('16030100ff010000fb0303', 'hex'), '400'],
  ['zero bytes', () => Buffer.alloc(200), '400'],
  ['two different lengths', () => postHead(['Content-Length: 5', 'Content-Length: 6']), '400'],
  ['a length and chunks', () => postHead(['Content-Length: 5', 'Transfer-Encoding: chunked']), '400'],
  ['a negative length', () => postHead(['Content-Length: -1']), '400'],
  ['a length that is not an integer', () => postHead(['Content-Length: 1e3']), '400'],
  ['a broken chunk size', () => `${postHead(['Transfer-Encoding: chunked'])}zz\r\n`, '400'],
  ['a header without a name', () => 'GET /health HTTP/1.1\r\nHost: localhost\r\n: a\r\n\r\n', '400'],
  ['a line break in a header', () => 'GET /health HTTP/1.1\r\nHost: localhost\r\nA: b\nc\r\n\r\n', '400'],
  ['headers of 100 KB', () => `GET /health HTTP/1.1\r\nHost: localhost\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`, '431'],
  ['20,000 headers', () => `GET /health HTTP/1.1\r\nHost: localhost\r\n${'A: b\r\n'.repeat(20_000)}\r\n`, '431'],
  ['no host', () => 'GET /health HTTP/1.1\r\n\r\n', '400'],
  ['two hosts', () => 'GET /health HTTP/1.1\r\nHost: localhost\r\nhost: x\r\n\r\n', '400'],
  ['a coding that is not chunked', () => postHead(['Transfer-Encoding: gzip, chunked']), '400'],
  ['the coding chunked twice', () => postHead(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']), '400'],
  ['chunks in HTTP/1.0', () => postHead(['Transfer-Encoding: chunked']).replace('HTTP/1.1', 'HTTP/1.0'), '400'],
  ['CONNECT', () => 'CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: elsewhere.test:443\r\n\r\n', '405'],
]
transport(
  'answers what is not a readable request with an error, a request ID and the end of the connection',
  async () => {
    for (const [what, bytes, status] of unreadable) {
      const text = await exchange(bytes())
      assert.equal([statusesOf(text), requestIdsOf(text).length], [[status], 1], what)
      assert.match(text, `"request_id":"${requestIdsOf(text)[0]}"`)
    }
    await assertAlive()
  },
)

const odd: [what: string, line: string, status: string][] = [
  ['an absolute address', 'GET http://elsewhere.test/health HTTP/1.1', '200'],
  ['an absolute address without a path', 'GET http://elsewhere.test HTTP/1.1', '302'],
  ['a query', 'GET /health?a=%zz&__proto__=1 HTTP/1.1', '200'],
  ['broken escapes', 'GET /%ff%zz HTTP/1.1', '404'],
  ['dots', 'GET /v1/../health/../x HTTP/1.1', '404'],
  ['dots that resolve to /', 'GET /v1/../health/.. HTTP/1.1', '302'],
  ['two slashes', 'GET //health HTTP/1.1', '404'],
  ['an escaped zero byte', 'GET /health%00 HTTP/1.1', '404'],
  ['a star', 'OPTIONS * HTTP/1.1', '404'],
  ['a method of its own', 'PROPFIND /health HTTP/1.1', '405'],
  ['a path of 10,000 characters', `GET /${'a'.repeat(10_000)} HTTP/1.1`, '404'],
  ['an upgrade', 'GET /health HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket', '200'],
  ['an expectation nobody knows', 'GET /health HTTP/1.1\r\nExpect: cookies', '200'],
]
transport('answers odd requests with a request ID', async () => {
  for (const [what, line, status] of odd) {
    const connection = openRaw(port)
    connection.write(`${line}\r\nHost: localhost\r\n\r\n`)
    const text = await connection.until(/\r\n\r\n/)
    assert.equal([statusesOf(text), requestIdsOf(text).length], [[status], 1], what)
    connection.socket.destroy()
  }
})

transport('rejects invalid hosts with each path, and keeps running', async () => {
  for (const host of ['a:99999', '1.2.3.4.5', '[:::::]', 'a%zz', 'a b', 'a/b', 'u@a', 'a#']) {
    for (const path of ['/health', '/../x', '/%2e%2e', "/?'", '/v1/%61']) {
      const text = await exchange(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      assert.equal([statusesOf(text), requestIdsOf(text).length], [['400'], 1], `${path} of ${host}`)
    }
  }
  for (const address of ['http://a:99999/../x', 'http://[:::::]/%61', '//a:99999/%2e']) {
    const connection = openRaw(port)
    connection.write(`GET ${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    // An unreadable address counts as `/`.
    await connection.until(/^HTTP\/1\.1 (302|4\d\d) [\s\S]*\r\n\r\n/)
    connection.socket.destroy()
  }
  await assertAlive()
})

transport('keeps connections with chunked bodies open, concurrent and pipelined', async () => {
  const chunked = `${postHead(['Transfer-Encoding: chunked'])}${Buffer.byteLength(payload).toString(16)}\r\n${payload}\r\n0\r\n\r\n`
  const connections = Array.from({ length: 20 }, () => openRaw(port))
  await Promise.all(connections.map(({ socket }) => socket.connecting && once(socket, 'connect')))
  for (const { write } of connections) write(chunked + chunked)
  const texts = await Promise.all(connections.map(({ until }) => until(/insightId[\s\S]*insightId/)))
  for (const text of texts) {
    assert.equal(statusesOf(text), ['200', '200'])
    assert.not.match(text, /connection: close/i)
  }
  for (const { socket } of connections) socket.destroy()
})

transport('rejects a body announced as too large before any of it arrives', async () => {
  const text = await exchange(postHead(['Content-Length: 900000000000']))
  assert.equal(statusesOf(text), ['413'])
  assert.match(text, /\r\nConnection: close\r\n/)
})

transport('stops reading chunks at 1 MiB, and the caller gets the answer while still sending', async () => {
  const connection = openRaw(port)
  connection.write(postHead(['Transfer-Encoding: chunked']))
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  for (let count = 0; count < 40; count++) connection.write(chunk)
  const text = await connection.until(/payload_too_large/)
  assert.equal(statusesOf(text), ['413'])
  assert.match(text, /\r\nConnection: close\r\n/)
  connection.socket.end()
  await connection.ended()
  await assertAlive()
})

transport('ignores further requests on a closing connection', async () => {
  const connection = openRaw(port)
  const body = 'x'.repeat(100_000)
  connection.write(`${postHead([`Content-Length: ${body.length}`], 'nobody')}`)
  assert.equal(statusesOf(await connection.until(/unauthorized/)), ['401'])
  connection.write(`${body}GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  connection.socket.end()
  assert.equal(statusesOf(await connection.ended()), ['401'])
})

transport('rejects an unknown key before the body arrives, and keeps the connection if the body is small', async () => {
  const connection = openRaw(port)
  connection.write(postHead([`Content-Length: ${payload.length}`], 'nobody'))
  assert.equal(statusesOf(await connection.until(/unauthorized/)), ['401'])
  connection.write(payload)
  connection.write(post())
  assert.equal(statusesOf(await connection.until(/hdi_/)), ['401', '200'])
  connection.socket.destroy()
})

transport('sends 100 Continue only for a call that is permitted, and not to a caller of HTTP/1.0', async () => {
  const expecting = [`Content-Length: ${Buffer.byteLength(payload)}`, 'Expect: 100-continue']
  const refused = openRaw(port)
  refused.write(postHead(expecting, 'nobody'))
  assert.equal(statusesOf(await refused.until(/unauthorized/)), ['401'])
  refused.socket.destroy()

  const accepted = openRaw(port)
  accepted.write(postHead(expecting))
  assert.equal(statusesOf(await accepted.until(/\r\n\r\n/)), ['100'])
  accepted.write(payload)
  assert.equal(statusesOf(await accepted.until(/hdi_/)), ['100', '200'])
  accepted.socket.destroy()

  const old = postHead(expecting).replace('HTTP/1.1', 'HTTP/1.0')
  assert.equal(statusesOf(await exchange(old + payload)), ['200'])
})

transport('answers pipelined requests in order', async () => {
  const connection = openRaw(port)
  const ids = Array.from({ length: 20 }, (_, index) => `pipe-${index}`)
  const get = (id: string) => `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: ${id}\r\n\r\n`
  const calls = ids.map((id, index) => (index % 2 === 0 ? post(payload, [`X-Request-ID: ${id}`]) : get(id)))
  connection.write(calls.join(''))
  const text = await connection.until(/pipe-19/)
  assert.equal(requestIdsOf(text), ids)
  connection.socket.destroy()
})

transport('answers 33 of many pipelined requests, and closes the connection', async () => {
  for (const count of [100, 10_000]) {
    const text = await exchange('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count))
    assert.equal(statusesOf(text), Array(33).fill('200'))
    assert.equal([...text.matchAll(/\r\nConnection: (\S+)/g)].map((match) => match[1]).at(-1), 'close')
    await assertAlive()
  }
})

transport('buffers at most one answer for a connection that does not read', async () => {
  const answer = Buffer.alloc(4 << 20)
  const handled: unknown[] = []
  const listener = await startListening((_, response) => handled.push(response.end(answer)), '127.0.0.1', 0)
  const connection = openRaw(listener.port)
  connection.socket.pause()
  connection.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20))
  const second = openRaw(listener.port)
  second.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await second.ended()
  assert.ok(handled.length <= 4, `${handled.length} requests were handled`)
  connection.socket.destroy()
  await listener.close(0)
})

const broken: [what: string, bytes: () => string][] = [
  ['garbage', () => 'garbage\r\n\r\n'],
  ['a request without a host', () => 'GET /health HTTP/1.1\r\n\r\n'],
  ['a request with a broken body', () => `${postHead(['Transfer-Encoding: chunked'])}zz\r\n`],
]
transport('answers the requests before a broken one first', async () => {
  for (const [what, bytes] of broken) {
    const text = await exchange(`${post()}${post()}${bytes()}`)
    assert.equal([statusesOf(text), text.match(/"insightId":"hdi_/g)?.length], [['200', '200', '400'], 2], what)
  }
})

transport('refuses a request for a host of somebody else, and says how to allow it', async () => {
  const text = await exchange('GET /health HTTP/1.1\r\nHost: rebound.example:8787\r\n\r\n')
  assert.equal(statusesOf(text), ['421'])
  assert.match(text, 'can allow it with SVC_ALLOWED_HOSTS=rebound.example.')
})

transport('answers an incomplete request with 408 soon after its time limit', async () => {
  const limits = { headersMs: 20, requestMs: 40, keepAliveMs: 1000, silentMs: 60_000, checkEveryMs: 10 }
  const listener = await startListening(() => {}, '127.0.0.1', 0, { timeLimits: limits })
  const connection = openRaw(listener.port)
  connection.write('GET /hea')
  assert.equal(statusesOf(await connection.ended()), ['408'])
  await listener.close(0)
})

transport('is not delayed by slow and silent callers', async () => {
  const idle = Array.from({ length: 60 }, () => openRaw(port))
  for (const [index, connection] of idle.entries()) {
    if (index % 3 === 1) connection.write('POST /v1/health-de')
    if (index % 3 === 2) connection.write(`${postHead(['Content-Length: 5000'])}{`)
  }
  const text = await exchange(post(payload, ['Connection: close']))
  assert.equal(statusesOf(text), ['200'])
  for (const connection of idle) connection.socket.destroy()
})

transport('removes the shutdown wrapper that listhen adds to every socket', async () => {
  await assertAlive()
  assert.is(process.emit, emit)
  assert.is(process.listenerCount('SIGTERM') + process.listenerCount('SIGINT'), 0)
})

transport('waits for running calls when it closes, but not for idle or incomplete ones', async () => {
  const other = await startApp()
  const { port: otherPort } = await other.app.listen()
  const kept = openRaw(otherPort)
  kept.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await kept.until(/"ok"/)
  const silent = openRaw(otherPort)
  await once(silent.socket, 'connect')
  const halfSent = openRaw(otherPort)
  halfSent.write('GET /hea')
  const running = openRaw(otherPort)
  const head = postHead([`Content-Length: ${Buffer.byteLength(payload)}`, 'Expect: 100-continue'], other.key)
  running.write(head)
  await running.until(/100 Continue/)
  const closing = other.app.close()
  await Promise.all([kept.ended(), silent.ended(), halfSent.ended()])
  running.write(payload)
  const text = await running.ended()
  assert.match(text, /"insightId":"hdi_/)
  assert.match(text, /\r\nConnection: close\r\n/)
  await closing
  await other.close()
})

transport('refuses two headers Idempotency-Key, also of one value', async () => {
  const body = '{"avatar_task_id":"avatar_x"}'
  const send = (...keys: string[]) =>
    exchange(
      [
        ...['POST /v1/pet-animation/generate HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${app.key}`, ...keys],
        ...[`Content-Length: ${body.length}`, 'Content-Type: application/json', 'Connection: close', '', body],
      ].join('\r\n'),
    )
  assert.match(await send('Idempotency-Key: a'), /^HTTP\/1\.1 404 /)
  const refused = await send('Idempotency-Key: a', 'idempotency-key: a')
  assert.match(refused, /^HTTP\/1\.1 422 [\s\S]*The header Idempotency-Key was sent more than once\. Send one\./)
})

transport.run()
