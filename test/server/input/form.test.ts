import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { Type } from 'typebox'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defineRoute } from '../../../src/contract/route.js'
import { createFormParser } from '../../../src/server/input/form-parser.js'
import { MemoryBudget } from '../../../src/server/input/upload-memory.js'
import { readError } from '../../helpers/app.js'
import { toForm } from '../../helpers/media.js'
import { openRaw } from '../../helpers/raw.js'
import { startServer, type TestServer } from '../../helpers/server.js'

const routes = {
  upload: defineRoute({
    method: 'POST',
    path: '/upload',
    summary: 'Takes a file',
    access: { group: 'pet-avatar' },
    body: Type.Object({
      species: Type.Enum(['dog', 'cat']),
      pet_name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      poses: Type.Optional(Type.Array(Type.Enum(['lying', 'sitting']), { uniqueItems: true })),
      count: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    files: ['source_image'],
    replies: { 200: Type.Unknown() },
  }),
}

const fileBytesAtMost = 1 << 20
/** The limit of a whole form. */
const formBytesAtMost = 23 << 20
const forms = suite('forms with files')
let server: TestServer
let port: number
/** Blocks the handler while a test sets it. */
let held: Promise<void> | undefined
forms.before(async () => {
  server = await startServer(
    routes,
    {
      async upload({ body, files }) {
        await held
        return { body: { ...body, file: files.source_image && digest(files.source_image) } }
      },
    },
    { fileBytesAtMost, budgetBytes: 4 << 20 },
  )
  port = (await server.listen()).port
})
forms.after(() => server.close())
forms.after.each(() => {
  assert.is(server.budget.bytes, 0, 'memory was not freed')
})

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

type Fields = Parameters<typeof toForm>[0]
const toPost = (fields: Fields) => ({
  method: 'POST',
  headers: { authorization: `Bearer ${server.key}` },
  body: toForm(fields),
})
/** Sends the same form in process and over a socket. */
const ways: [string, (fields: Fields) => Promise<Response>][] = [
  ['in process', (fields) => server.send('POST', '/upload', { body: toForm(fields) })],
  ['over a socket', (fields) => fetch(`http://127.0.0.1:${port}/upload`, toPost(fields))],
]

const photo = randomBytes(300_000)
const largest = randomBytes(fileBytesAtMost)
const poses = ['lying', 'sitting']
const more = { more: 'x', scan: largest, ...JSON.parse('{"__proto__":"y"}') }
const accepted: [what: string, fields: Fields, answer: object][] = [
  ['a file and fields', { species: 'dog', source_image: photo }, { species: 'dog', file: digest(photo) }],
  ['a file first', { source_image: photo, species: 'dog' }, { species: 'dog', file: digest(photo) }],
  ['the largest file', { source_image: largest, species: 'dog' }, { species: 'dog', file: digest(largest) }],
  ['no file', { species: 'dog' }, { species: 'dog' }],
  ['empty fields', { species: 'dog', pet_name: '', poses: '', source_image: new File([], '') }, { species: 'dog' }],
  ['repeated poses', { species: 'cat', poses }, { species: 'cat', poses }],
  ['repeated poses with brackets', { species: 'cat', 'poses[]': poses }, { species: 'cat', poses }],
  ['one pose', { species: 'cat', poses: 'lying' }, { species: 'cat', poses: ['lying'] }],
  ['poses as JSON', { species: 'cat', poses: JSON.stringify(poses) }, { species: 'cat', poses }],
  ['a number', { species: 'cat', count: '12' }, { species: 'cat', count: 12 }],
  ['other scripts', { species: 'cat', pet_name: '小白 🐈' }, { species: 'cat', pet_name: '小白 🐈' }],
  ['unknown fields and files', { species: 'cat', ...more }, { species: 'cat' }],
]
for (const [way, send] of ways) {
  for (const [what, fields, answer] of accepted) {
    forms(`accepts a form with ${what}, ${way}`, async () => assert.equal(await (await send(fields)).json(), answer))
  }
}

const wrongFields =
  '`species` must be dog or cat, not cow; `count` must be an integer of at least 1; `poses[0]` must be lying or sitting, not all.'
const tooLarge = '`source_image` is larger than 1 MiB.'
const refused: [what: string, fields: () => Fields, message: string, status?: number][] = [
  ['a file that is too large', () => ({ species: 'dog', source_image: Buffer.alloc(fileBytesAtMost + 1) }), tooLarge],
  ['a file that is far too large', () => ({ source_image: Buffer.alloc(formBytesAtMost - 1000) }), tooLarge],
  ['an empty file', () => ({ source_image: Buffer.alloc(0) }), '`source_image` is an empty file.'],
  ['two files', () => ({ source_image: [photo, photo] }), '`source_image` is given more than once; send it once.'],
  ['a repeated field', () => ({ species: ['dog', 'cat'] }), '`species` is given more than once; send it once.'],
  ['no field', () => ({ source_image: photo }), '`species` is missing.'],
  ['wrong fields', () => ({ species: 'cow', poses: 'all', count: '1.5' }), wrongFields],
  ['broken JSON', () => ({ species: 'cat', poses: '["lying"' }), '`poses` must be an array.'],
  ['a large field', () => ({ species: 'cat', pet_name: 'x'.repeat(70_000) }), '`pet_name` is larger than 64 KiB.'],
  ['many parts', () => ({ x: Array(101).fill('y') }), 'The form has more than 100 parts.'],
  ['too many bytes', () => ({ source_image: Buffer.alloc(formBytesAtMost) }), 'The body is larger than 23 MiB.', 413],
]
for (const [what, fields, message, status = 422] of refused) {
  forms(`rejects a form with ${what}`, async () => {
    const error = await readError(await server.send('POST', '/upload', { body: toForm(fields()) }))
    assert.equal([error.message, error.status], [message, status])
  })
}

forms('logs missing fields that are present under another spelling', async () => {
  server.entries.length = 0
  await server.send('POST', '/upload', {
    body: toForm({ species: 'dog', petName: 'secret', 'poses[0]': 'lying', sourceImage: photo, other: 'x' }),
  })
  assert.equal(server.entries[0]?.warnings, [
    { rule: 'misspelled-field', path: '/pet_name' },
    { rule: 'misspelled-field', path: '/poses' },
    { rule: 'misspelled-field', path: '/source_image' },
  ])
  assert.not.match(JSON.stringify(server.entries), 'secret')
})

const boundary = 'xyz'
const sendRaw = (body: string | Buffer, type = `multipart/form-data; boundary=${boundary}`) =>
  server.send('POST', '/upload', { headers: { 'content-type': type }, body })
const part = (head: string, content: string) => `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`
const species = part('Content-Disposition: form-data; name="species"', 'dog')
const end = `--${boundary}--\r\n`

const brokenForms: [what: string, body: string | Buffer, message: RegExp, type?: string][] = [
  ['no boundary in its type', species + end, /must name its boundary/, 'multipart/form-data'],
  ['another boundary', species + end, /broken or ends too early/, 'multipart/form-data; boundary=other'],
  ['nothing', '', /broken or ends too early/],
  ['no end', species, /broken or ends too early/],
  ['an end in the middle of a part', species.slice(0, -6), /broken or ends too early/],
  ['an end in the middle of a head', `--${boundary}\r\nContent-Disp`, /broken or ends too early/],
  ['no parts', end, /`species` is missing/],
  ['a part without a head', `${part('', 'dog')}${end}`, /`species` is missing/],
  ['a part without a name', `${part('Content-Disposition: form-data', 'dog')}${end}`, /`species` is missing/],
  ['a head without an end', `--${boundary}\r\nA: ${'x'.repeat(200_000)}`, /broken or ends too early/],
  [
    'no UTF-8',
    Buffer.from(part('Content-Disposition: form-data; name="pet_name"', '\xff\xfe') + end, 'latin1'),
    /`pet_name` must be text in UTF-8/,
  ],
]
for (const [what, body, message, type] of brokenForms) {
  forms(`rejects a form with ${what}`, async () => {
    const error = await readError(await sendRaw(body, type))
    assert.is(error.status, 422)
    assert.match(error.message, message)
  })
}

forms('accepts rare but valid syntax', async () => {
  const odd = `before\r\n${part('content-disposition: FORM-DATA; name=species; filename="ä.txt"\r\nContent-Type: text/plain; charset=utf-16', 'dog')}${end}after`
  assert.equal(await (await sendRaw(odd)).json(), { species: 'dog' })
})

forms('accepts JSON on the same path, and names both types when it rejects another', async () => {
  const json = { headers: { 'content-type': 'application/json' }, body: '{"species":"dog"}' }
  assert.equal(await (await server.send('POST', '/upload', json)).json(), { species: 'dog' })
  const error = await readError(await sendRaw('species=dog', 'application/x-www-form-urlencoded'))
  assert.is(error.message, 'The Content-Type must be application/json or multipart/form-data.')
})

forms('names the accepted types when it gets a bare photo, unless the photo exceeds the limit of a form', async () => {
  const send = async (bytes: number, headers: Record<string, string>) =>
    readError(await server.send('POST', '/upload', { headers, body: Buffer.alloc(bytes) }))
  const type = { 'content-type': 'image/jpeg' }
  assert.is((await send(3 << 20, type)).message, 'The Content-Type must be application/json or multipart/form-data.')
  assert.is((await send(formBytesAtMost + 1, type)).status, 413)
})

forms('rejects a compressed form', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=xyz', 'content-encoding': 'gzip' }
  const { status } = await server.send('POST', '/upload', { headers, body: gzipSync(species + end) })
  assert.is(status, 415)
})

forms('answers random forms, split at random positions', async () => {
  const pieces = [
    ...['--xyz', '--xyz--', '\r\n', '\r', '\n', '-', '--', '\r\n\r\n', 'dog', '\0', 'x'.repeat(3000)],
    ...['Content-Disposition: form-data; name="species"', 'name="source_image"; filename="a"'],
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }),
      fc.array(fc.nat(200), { maxLength: 8 }),
      async (words, cuts) => {
        const bytes = Buffer.from(words.join(''))
        let at = 0
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            const length = cuts.shift() ?? bytes.length
            if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + length + 1))
            at += length + 1
            if (at >= bytes.length) controller.close()
          },
        })
        const headers = { 'content-type': 'multipart/form-data; boundary=xyz' }
        const response = await server.send('POST', '/upload', { headers, body, duplex: 'half' } as RequestInit)
        assert.ok([200, 422].includes(response.status), String(response.status))
      },
    ),
    { numRuns: 100 },
  )
})

const rawHead = (headers: readonly string[]) =>
  [
    'POST /upload HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${server.key}`,
    'Content-Type: multipart/form-data; boundary=xyz',
    ...headers,
    '',
    '',
  ].join('\r\n')
const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1])
const fileHead = `${species}--xyz\r\nContent-Disposition: form-data; name="source_image"; filename="a"\r\n\r\n`

forms('rejects a form announced as too large before any of it arrives', async () => {
  const connection = openRaw(port)
  connection.write(rawHead(['Content-Length: 900000000']))
  assert.equal(statusesOf(await connection.ended()), ['413'])
})

const toChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

forms('reads to its end a form whose file is too large, and keeps the connection', async () => {
  const connection = openRaw(port)
  const form = toChunk(fileHead) + toChunk('x'.repeat(3 << 20)) + toChunk(`\r\n${end}`)
  const chunked = rawHead(['Transfer-Encoding: chunked'])
  connection.write(`${chunked}${form}0\r\n\r\n`)
  assert.equal(statusesOf(await connection.until(/larger than/)), ['422'])
  connection.write(`${chunked}${toChunk(species + end)}0\r\n\r\n`)
  assert.equal(statusesOf(await connection.until(/"species":"dog"/)), ['422', '200'])
  connection.socket.destroy()
})

forms('keeps nothing of a form with a file that is too large', async () => {
  const budget = new MemoryBudget(4 << 20)
  const parser = createFormParser('multipart/form-data; boundary=xyz', ['species'], ['source_image'], {
    fileBytesAtMost,
    share: budget.openShare(),
  })
  const write = async (text: string) => {
    await parser.write(Buffer.from(text))
    await new Promise((resolve) => setImmediate(resolve))
    return budget.bytes
  }
  assert.ok((await write(fileHead + 'x'.repeat(fileBytesAtMost / 2))) >= fileBytesAtMost / 2)
  for (let count = 0; count < 5; count++) assert.is(await write('x'.repeat(fileBytesAtMost)), 0)
  const refusal = await parser.end().catch((error) => error)
  assert.is(refusal.message, '`source_image` is larger than 1 MiB.')
})

forms('survives callers that disconnect in the middle of a file, and frees their memory', async () => {
  server.entries.length = 0
  for (let count = 0; count < 20; count++) {
    const connection = openRaw(port)
    connection.write(rawHead(['Content-Length: 900000']) + fileHead + 'x'.repeat(200_000))
    await once(connection.socket, 'connect')
    if (count % 2 === 0) connection.socket.resetAndDestroy()
    else connection.socket.end()
  }
  while (server.entries.length < 20 && server.budget.bytes >= 0) await new Promise((resolve) => setImmediate(resolve))
  assert.equal([...new Set(server.entries.map(({ status }) => status))], [499])
})

forms('rejects with 503 an upload that exceeds the memory left by other uploads', async () => {
  let release = () => {}
  held = new Promise((resolve) => {
    release = resolve
  })
  const send = () => server.send('POST', '/upload', { body: toForm({ species: 'dog', source_image: largest }) })
  const running = [1, 2, 3].map(send)
  while (server.budget.bytes < 3 * fileBytesAtMost) await new Promise((resolve) => setImmediate(resolve))
  const response = await send()
  assert.is(response.headers.get('retry-after'), '5')
  assert.is((await readError(response)).code, 'unavailable')
  release()
  held = undefined
  for (const { status } of await Promise.all(running)) assert.is(status, 200)
  assert.is((await send()).status, 200)
})

forms.run()
