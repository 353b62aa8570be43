// run: alone, fleet
import { createSecretKey, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openDiskObjects } from '../../src/adapters/objects/disk.js'
import { createUrlSignatures } from '../../src/adapters/secret.js'
import type { ObjectStore } from '../../src/ports/objects.js'
import { readError } from '../helpers/app.js'
import { openRaw } from '../helpers/raw.js'
import { startServer, type TestServer } from '../helpers/server.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const objects = suite('stored files over HTTP')
const place = openTemporaryFolder()
const signatures = createUrlSignatures(createSecretKey(Buffer.alloc(32, 7)), 86_400)
const key = 'ai-gateway/avatars/one/lying.webp'
const clip = 'ai-gateway/animations/one/lying.mp4'
const bytes = randomBytes(600_000)
let store: ObjectStore
/** Set by a test: reading fails after this many chunks. */
let failAfter = Number.POSITIVE_INFINITY
let server: TestServer
let port: number
objects.before(async () => {
  const disk = openDiskObjects(place.folder, signatures)
  store = {
    ...disk,
    async open(opened) {
      const object = await disk.open(opened)
      return object && { ...object, stream: (range) => object.stream(range).pipeThrough(failing()) }
    },
  }
  await store.put(key, bytes)
  await store.put(clip, Buffer.alloc(24 << 20, 1))
  server = await startServer({}, {}, { objects: { store, signatures } })
  port = (await server.listen()).port
})
objects.after(async () => {
  await server.close()
  place.close()
})

function failing(): TransformStream<Uint8Array, Uint8Array> {
  let pieces = 0
  return new TransformStream(
    {
      transform(piece, controller) {
        if (pieces++ >= failAfter) controller.error(new Error('the disk is gone'))
        else controller.enqueue(piece)
      },
    },
    undefined,
    { highWaterMark: 0 },
  )
}

const addressOf = (of = key) => signatures.sign(of, '', new Date(server.clock.now))
/** Reads an answer to its end: an unread one keeps its file open. */
const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await server.fetch(new Request(`http://svc.test${path}`, { method, headers }))
  const body = await response.arrayBuffer()
  return new Response(body.byteLength === 0 ? null : body, response)
}
const servedHeaders = {
  'content-type': 'image/webp',
  'content-length': '600000',
  'accept-ranges': 'bytes',
  'x-content-type-options': 'nosniff',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-ratelimit-limit': null,
}
/** In process and over a socket. */
const ways: [string, (path: string, init?: RequestInit) => Promise<Response>][] = [
  ['in process', (path, init) => server.fetch(new Request(`http://svc.test${path}`, init))],
  ['over a socket', (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init)],
]

for (const [way, send] of ways) {
  objects(`are served by their signed address, ${way}`, async () => {
    const response = await send(addressOf())
    assert.is(response.status, 200)
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes))
    const { headers } = response
    for (const [name, value] of Object.entries(servedHeaders)) assert.is(headers.get(name), value, name)
    assert.match(headers.get('cache-control') ?? '', /^private, max-age=8\d{4}$/)
    assert.match(headers.get('etag') ?? '', /^"[\w-]+"$/)
    assert.match(headers.get('x-request-id') ?? '', /^req_/)
  })

  objects(`answer HEAD with the same headers, and ranges, ${way}`, async () => {
    const head = await send(addressOf(), { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    assert.equal([head.status, head.headers.get('content-length')], [200, '600000'])
    assert.is((await head.arrayBuffer()).byteLength, 0)
    const part = await send(addressOf(), { headers: { range: 'bytes=500000-' } })
    assert.equal([part.status, part.headers.get('content-range')], [206, 'bytes 500000-599999/600000'])
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(500_000)))
  })
}

objects('redirect to the host of the store for a short time, and answer HEAD themselves', async () => {
  const host = {
    origin: 'https://pets.s3.example.com',
    presign: async (name: string, seconds: number) => `https://pets.s3.example.com/${name}?X-Amz-Expires=${seconds}`,
  }
  const redirecting = await startServer({}, {}, { objects: { store, signatures, redirectsTo: host } })
  const ask = (path: string, method = 'GET') =>
    redirecting.fetch(new Request(`http://svc.test${path}`, { method, redirect: 'manual' }))
  const response = await ask(addressOf())
  assert.is(response.status, 302)
  assert.is(response.headers.get('location'), `https://pets.s3.example.com/${key}?X-Amz-Expires=600`)
  assert.is(response.headers.get('cache-control'), 'private, max-age=300')
  assert.is((await ask(`${addressOf()}x`)).status, 403)
  assert.is((await ask(addressOf(), 'HEAD')).headers.get('content-length'), '600000')
  // The pages may show what is at the host.
  const policy = (await ask('/demo')).headers.get('content-security-policy') ?? ''
  assert.match(policy, /img-src 'self' blob: https:\/\/pets\.s3\.example\.com;/)
  assert.match(policy, /media-src 'self' https:\/\/pets\.s3\.example\.com;/)
  await redirecting.close()
})

objects('answer 304 for a cached file, and 416 to a range outside the file', async () => {
  const etag = (await get(addressOf(), {}, 'HEAD')).headers.get('etag') ?? ''
  for (const tags of [etag, `"x", W/${etag}`, '*']) {
    const response = await get(addressOf(), { 'if-none-match': tags })
    assert.equal([response.status, response.headers.get('etag'), await response.text()], [304, etag, ''], tags)
  }
  assert.is((await get(addressOf(), { 'if-none-match': '"x"' })).status, 200)
  const outside = await get(addressOf(), { range: 'bytes=600000-' })
  assert.equal([outside.status, outside.headers.get('content-range')], [416, 'bytes */600000'])
})

objects('are served whole if a range would be of another version', async () => {
  const etag = (await get(addressOf(), {}, 'HEAD')).headers.get('etag') ?? ''
  for (const [version, status] of [
    [etag, 206],
    ['"x"', 200],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 200],
  ] as const)
    assert.is((await get(addressOf(), { range: 'bytes=0-9', 'if-range': version })).status, status, version)
})

const forbidden: [what: string, path: () => string][] = [
  ['no signature', () => `/objects/${key}`],
  ['another key', () => addressOf().replace('lying', 'sitting')],
  ['another expiry', () => addressOf().replace(/expires=\d/, 'expires=9')],
  ['a cut signature', () => addressOf().slice(0, -1)],
  ['an escaped slash', () => addressOf().replace('/one/', '%2fone/')],
  ['dots', () => '/objects/ai-gateway/..%2f..%2fsecret?expires=9999999999&signature=x'],
  ['no key', () => '/objects/?expires=9999999999&signature=x'],
]
objects('are rejected with another address', async () => {
  for (const [what, path] of forbidden) {
    const { status, code } = await readError(await get(path()))
    assert.equal([status, code], [403, 'forbidden'], what)
  }
})

objects('are rejected when their address has expired, and the task then has a new one', async () => {
  const address = addressOf()
  server.clock.now += 25 * 3_600_000
  assert.is((await readError(await get(address))).status, 403)
  assert.is((await get(addressOf())).status, 200)
})

objects('answer 404 once deleted, and accept no other methods', async () => {
  assert.is((await readError(await get(addressOf('ai-gateway/gone.jpg')))).status, 404)
  const response = await get(addressOf(), {}, 'DELETE')
  assert.equal([response.status, response.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
})

objects('leave no signature in the log', async () => {
  server.entries.length = 0
  await get(addressOf(), {}, 'HEAD')
  await get(`${addressOf()}x`)
  const logged = server.entries.map(({ path, status }) => `${status} ${path}`)
  assert.equal(logged, [`200 /objects/${key}`, `403 /objects/${key}`])
  assert.not.match(JSON.stringify(server.entries), 'signature')
})

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`

objects('are not read faster than they are received, and a slow reader delays no other', async () => {
  const before = process.memoryUsage().arrayBuffers
  const slow = Array.from({ length: 10 }, () => openRaw(port))
  for (const connection of slow) {
    connection.socket.pause()
    connection.write(request(addressOf(clip)))
  }
  await Promise.all(slow.map(({ socket }) => once(socket, 'connect')))
  for (let count = 0; count < 5; count++) {
    const response = await fetch(`http://127.0.0.1:${port}${addressOf()}`)
    assert.is((await response.arrayBuffer()).byteLength, 600_000)
  }
  const grown = process.memoryUsage().arrayBuffers - before
  assert.ok(grown < 60 << 20, `${grown} bytes are held for 240 MB`)
  for (const { socket } of slow) socket.destroy()
})

objects('survive readers that disconnect', async () => {
  for (let count = 0; count < 20; count++) {
    const connection = openRaw(port)
    connection.write(request(addressOf(clip)))
    await connection.until(/\r\n\r\n/)
    if (count % 2 === 0) connection.socket.resetAndDestroy()
    else connection.socket.destroy()
  }
  const response = await fetch(`http://127.0.0.1:${port}${addressOf()}`)
  assert.is((await response.arrayBuffer()).byteLength, 600_000)
})

objects('close their connection if the disk fails midway', async () => {
  failAfter = 2
  const connection = openRaw(port)
  connection.write(request(addressOf()))
  const text = await connection.ended()
  failAfter = Number.POSITIVE_INFINITY
  assert.match(text, /^HTTP\/1\.1 200 /)
  assert.ok(text.length < 600_000)
  const response = await fetch(`http://127.0.0.1:${port}${addressOf()}`)
  assert.is((await response.arrayBuffer()).byteLength, 600_000)
})

objects('that cannot be read from their beginning are answered with an error', async () => {
  failAfter = 0
  const response = await server.fetch(new Request(`http://svc.test${addressOf()}`))
  failAfter = Number.POSITIVE_INFINITY
  assert.equal((await readError(response)).status, 500)
})

objects.run()
