import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defineRoute } from '../../../src/contract/route.js'
import { readError } from '../../helpers/app.js'
import { startServer, type TestServer } from '../../helpers/server.js'

const PetId = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9_-]+$',
  'x-expected': 'only letters, digits, _ and -',
})
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Anything = Type.Unknown()
const access = { group: 'pet-avatar' } as const

const routes = {
  getThing: defineRoute({
    method: 'GET',
    path: '/things/{thing_id}',
    aliases: ['/old/things/{thing_id}'],
    summary: 'One',
    access,
    params: Type.Object({ thing_id: Type.String({ minLength: 1, maxLength: 128 }) }),
    replies: { 200: Anything },
  }),
  deleteThing: defineRoute({
    method: 'DELETE',
    path: '/things/{thing_id}',
    summary: 'Away',
    access,
    params: Type.Object({ thing_id: Type.String({ maxLength: 128 }) }),
    replies: { 204: null },
  }),
  listThings: defineRoute({
    method: 'GET',
    path: '/things',
    summary: 'Page',
    access,
    query: Type.Object({
      user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      pet_id: Type.Optional(PetId),
      page: Type.Integer({ minimum: 1, default: 1 }),
      page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    }),
    replies: { 200: Anything },
  }),
  createThing: defineRoute({
    method: 'POST',
    path: '/things',
    summary: 'New',
    access,
    body: Type.Object({
      species: Type.Enum(['dog', 'cat']),
      user_id: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 128 }))),
      pet_id: Type.Optional(nullable(PetId)),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      pose: Type.Enum(['all', 'lying', 'sitting'], { default: 'all' }),
      poses: Type.Optional(Type.Array(Type.Enum(['lying', 'sitting']), { minItems: 1, uniqueItems: true })),
      items: Type.Optional(
        Type.Array(Type.Object({ cos_key: Type.String(), liked: Type.Optional(Type.Boolean()) }), { maxItems: 3 }),
      ),
    }),
    replies: { 200: Anything },
  }),
}

const input = suite('input of a call')
let server: TestServer
input.before(async () => {
  server = await startServer(routes, {
    getThing: ({ params }) => ({ body: params.thing_id }),
    deleteThing: () => ({ status: 204 }),
    listThings: ({ query, findBaseUrl }) => ({ body: { ...query, baseUrl: findBaseUrl() } }),
    createThing: ({ body }) => ({ body }),
  })
})
input.after(() => server.close())

const post = (body: unknown, headers: Record<string, string> = {}) =>
  server.send('POST', '/things', {
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  })

const paths: [path: string, id: string][] = [
  ['/things/one', 'one'],
  ['/old/things/one', 'one'],
  ['/things/a%20b%2Fc', 'a b/c'],
  ['/things/%F0%9F%90%95', '🐕'],
  ['/things/%2541%252F', '%41%2F'],
  [`/things/${'a'.repeat(128)}`, 'a'.repeat(128)],
]
input('decodes the parameter of a path', async () => {
  for (const [path, id] of paths) assert.is(await (await server.send('GET', path)).json(), id)
})

input('finds nothing at paths with broken, long or more parameters', async () => {
  for (const id of ['a'.repeat(129), '%ff', '%zz', 'a/b', '__proto__/x']) {
    const error = await readError(await server.send('GET', `/things/${id}`))
    assert.is(error.status, 404, id)
    assert.match(error.message, 'There is nothing at this path')
  }
})

input('names the methods of a path and of its aliases', async () => {
  const refused = await server.send('POST', '/things/one')
  assert.is(refused.status, 405)
  assert.is(refused.headers.get('allow'), 'GET, HEAD, DELETE, OPTIONS')
  assert.is((await server.send('DELETE', '/old/things/one')).headers.get('allow'), 'GET, HEAD, OPTIONS')
})

const queries: [query: string, values: object][] = [
  ['', { page: 1, page_size: 20 }],
  ['?page=2&page_size=100&user_id=u%20x+y', { page: 2, page_size: 100, user_id: 'u x y' }],
  ['?page=&user_id=&page_size=', { page: 1, page_size: 20 }],
  ['?other=1&other=2&__proto__=3', { page: 1, page_size: 20 }],
  ['?page=999999999999', { page: 999_999_999_999, page_size: 20 }],
  [`?user_id=${encodeURIComponent('🐕'.repeat(128))}`, { user_id: '🐕'.repeat(128), page: 1, page_size: 20 }],
]
for (const [query, values] of queries) {
  input(`reads the query ${query.slice(0, 60)}`, async () => {
    const read = await (await server.send('GET', `/things${query}`)).json()
    assert.equal(read, { ...values, baseUrl: 'http://svc.test' })
  })
}

const ofPage = '`page` must be an integer of at least 1.'
const ofPageSize = '`page_size` must be an integer from 1 to 100.'
const badQueries: [query: string, message: string][] = [
  ...['0', '-1', '1.5', '1e3', '0x1', '+1', '01', '%D9%A1', '9'.repeat(30)].map((page): [string, string] => [
    `page=${page}`,
    ofPage,
  ]),
  ['page_size=101', ofPageSize],
  ['page_size=many', ofPageSize],
  ['page=1&page=2', '`page` is given more than once; send it once.'],
  ['user_id=a&user_id=a', '`user_id` is given more than once; send it once.'],
  [`user_id=${'a'.repeat(129)}`, '`user_id` must have at most 128 characters; it has 129.'],
  ['pet_id=a%20b', '`pet_id` must contain only letters, digits, _ and -; character 2 is a space.'],
  ['page=x&page_size=0', `${ofPage.slice(0, -1)}; ${ofPageSize}`],
]
for (const [query, message] of badQueries) {
  input(`rejects the query ${query.slice(0, 60)}`, async () => {
    const error = await readError(await server.send('GET', `/things?${query}`))
    assert.equal(error, { status: 422, code: 'invalid_request', message })
  })
}

const bodies: [what: string, body: object, extra?: object][] = [
  ['the least', { species: 'dog' }, { pose: 'all' }],
  ['null where it may be', { species: 'dog', user_id: null, pet_id: null, pose: 'lying' }],
  ['a list', { species: 'cat', pose: 'all', poses: ['lying', 'sitting'] }],
  ['unknown fields', { species: 'cat', pose: 'all', more: { a: 1 } }],
  ['128 characters of two units', { species: 'cat', pose: 'all', name: '🐈'.repeat(128) }],
]
for (const [what, body, extra = {}] of bodies) {
  input(`accepts a body with ${what}`, async () => {
    const response = await post(body)
    assert.equal(await response.json(), { ...body, ...extra })
  })
}

const badBodies: [body: unknown, message: string | RegExp][] = [
  [{}, '`species` is missing.'],
  [{ species: 'cow' }, '`species` must be dog or cat, not cow.'],
  [{ species: 'cow and more' }, '`species` must be dog or cat.'],
  [{ species: null }, '`species` must be dog or cat.'],
  [{ species: 'dog', pet_id: '' }, '`pet_id` must not be empty.'],
  [{ species: 'dog', pet_id: 7 }, '`pet_id` must be a string.'],
  [{ species: 'dog', pet_id: 'abc d' }, '`pet_id` must contain only letters, digits, _ and -; character 4 is a space.'],
  [{ species: 'dog', pet_id: '🐕é' }, '`pet_id` must contain only letters, digits, _ and -; character 1 is “🐕”.'],
  [{ species: 'dog', pet_id: 'a\n' }, '`pet_id` must contain only letters, digits, _ and -; character 2 is U+000A.'],
  [{ species: 'dog', name: '🐕'.repeat(129) }, '`name` must have at most 128 characters; it has 129.'],
  [{ species: 'dog', pose: 'flying' }, '`pose` must be all, lying or sitting, not flying.'],
  [{ species: 'dog', poses: [] }, '`poses` must not be empty.'],
  [{ species: 'dog', poses: ['lying', 'lying'] }, '`poses` must not contain duplicates.'],
  [`{"species":"dog","poses":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`, 'The body is nested too deeply.'],
  [{ species: 'dog', poses: ['lying', 'all'] }, '`poses[1]` must be lying or sitting, not all.'],
  [{ species: 'dog', name: Array(200).fill('x') }, '`name` must be a string.'],
  [{ species: 'dog', poses: 'lying' }, '`poses` must be an array.'],
  [
    { species: 'dog', items: [{ cos_key: 'a' }, { liked: 'yes' }] },
    '`items[1].cos_key` is missing; `items[1].liked` must be a boolean.',
  ],
  [
    { species: 'cow', pose: 'x', items: [{}, {}, {}] },
    /^`species` must be .*; `pose` must be .*; `items\[0\]\.cos_key` is missing; and 2 more\.$/,
  ],
  [{ species: 'dog', items: [{}, {}, {}, {}] }, '`items` must have at most 3 items.'],
  [[], 'The body must be an object.'],
  ['null', 'The body must be an object.'],
  ['"text"', 'The body must be an object.'],
  ['{', 'The body must be JSON in UTF-8.'],
  ['', 'The body must be JSON in UTF-8.'],
  [Buffer.from('7b2261223a22ff227d', 'hex'), 'The body must be JSON in UTF-8.'],
]
for (const [body, message] of badBodies) {
  input(`rejects the body ${String(JSON.stringify(body)).slice(0, 70)}`, async () => {
    const error = await readError(await post(body))
    assert.is(error.status, 422)
    assert.is(error.code, 'invalid_request')
    if (typeof message === 'string') assert.is(error.message, message)
    else assert.match(error.message, message)
  })
}

input('rejects an array of any length', async () => {
  const long: [body: object, field: string][] = [
    [{ species: 'dog', poses: Array(120_000).fill('lying') }, '`poses` must have 1 to 100 items.'],
    [{ species: 'dog', items: Array(300_000).fill({}) }, '`items` must have at most 3 items.'],
  ]
  for (const [body, message] of long) assert.is((await readError(await post(body))).message, message)
})

input('names the accepted content types', async () => {
  const error = await readError(await post('species=dog', { 'content-type': 'application/x-www-form-urlencoded' }))
  assert.is(error.message, 'The Content-Type must be application/json.')
})

input('rejects a compressed body with the encodings that are accepted', async () => {
  const response = await post(gzipSync('{"species":"dog"}'), { 'content-encoding': 'gzip' })
  assert.is(response.headers.get('accept-encoding'), 'identity')
  const { status, code, message } = await readError(response)
  assert.equal([status, code], [415, 'unsupported_content_encoding'])
  assert.match(message, /^The body must not be compressed: the only accepted Content-Encoding is identity\./)
})

input('logs the rule and path of each violation, and no values', async () => {
  server.entries.length = 0
  await post({ species: 'hippopotamus', items: [{}] })
  const [entry] = server.entries
  assert.equal(entry?.violations, [
    { rule: 'enum', path: '/species' },
    { rule: 'required', path: '/items/0/cos_key' },
  ])
  assert.not.match(JSON.stringify(entry), 'hippopotamus')
})

input('logs missing fields that are present under another spelling', async () => {
  server.entries.length = 0
  await post({ species: 'dog', petId: 'secret', POSE: 'all', other: 1, pet_name: 'x' })
  const [entry] = server.entries
  assert.equal(entry?.warnings, [
    { rule: 'misspelled-field', path: '/pet_id' },
    { rule: 'misspelled-field', path: '/pose' },
  ])
  assert.not.match(JSON.stringify(entry), 'secret')
})

input.run()
