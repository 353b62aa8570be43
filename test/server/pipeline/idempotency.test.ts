import { Type } from 'typebox'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defineRoute, type Route } from '../../../src/contract/route.js'
import { SvcError } from '../../../src/errors.js'
import type { Call } from '../../../src/server/pipeline/handler.js'
import { readError } from '../../helpers/app.js'
import { toForm } from '../../helpers/media.js'
import { startServer, type TestServer } from '../../helpers/server.js'
import { newAvatar } from '../../helpers/tasks.js'

const routes = {
  create: defineRoute({
    method: 'POST',
    path: '/tasks',
    aliases: ['/old/tasks'],
    summary: 'New',
    access: { group: 'pet-avatar' },
    body: Type.Object({
      pet_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      poses: Type.Optional(Type.Array(Type.String())),
    }),
    files: ['source_image'],
    idempotent: true,
    replies: { 200: Type.Unknown() },
  }),
  other: defineRoute({
    method: 'POST',
    path: '/other',
    summary: 'New too',
    access: { group: 'pet-avatar' },
    body: Type.Object({ pet_id: Type.Optional(Type.String()) }),
    idempotent: true,
    replies: { 200: Type.Unknown() },
  }),
}

let created = 0
let failNext: Error | undefined

const idempotency = suite('Idempotency-Key')
let server: TestServer
idempotency.before(async () => {
  const create = async ({ requestId, reservation }: Pick<Call<Route>, 'requestId' | 'reservation'>) => {
    const error = failNext
    failNext = undefined
    if (error !== undefined) throw error
    created += 1
    const task = newAvatar()
    const body = { request_id: requestId, task_id: task.id }
    await server.store.createTask(task, null, reservation && { reservation, body })
    return { body }
  }
  server = await startServer(routes, { create, other: create })
})
idempotency.after(() => server.close())

const post = (body: object, key?: string, path = '/tasks') =>
  server.send('POST', path, {
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
    body: JSON.stringify(body),
  })
/** Sends a form with a file of this content. */
const postFile = (content: string, key: string) =>
  server.send('POST', '/tasks', {
    headers: { 'idempotency-key': key },
    body: toForm({ source_image: Buffer.from(content) }),
  })
const read = async (response: Response) => (await response.json()) as { request_id: string; task_id: string }

const same: [what: string, first: () => Promise<Response>, second: () => Promise<Response>][] = [
  ['another order', () => post({ pet_id: 'a', poses: ['x'] }, 'k2'), () => post({ poses: ['x'], pet_id: 'a' }, 'k2')],
  ['the other path', () => post({ pet_id: 'a' }, 'k3'), () => post({ pet_id: 'a' }, 'k3', '/old/tasks')],
  ['null and unknown fields', () => post({}, 'k4'), () => post({ pet_id: null, more: 1 }, 'k4')],
  ['a file', () => postFile('x', 'k5'), () => postFile('x', 'k5')],
]
for (const [what, first, second] of same) {
  idempotency(`answers ${what} once`, async () => {
    const before = created
    const one = await first()
    const two = await second()
    assert.is(created, before + 1)
    assert.is(one.headers.get('idempotent-replayed'), null)
    assert.is(two.headers.get('idempotent-replayed'), 'true')
    const [body, replayed] = [await read(one), await read(two)]
    assert.equal(replayed, body)
    assert.is(one.headers.get('x-request-id'), body.request_id)
    assert.is.not(two.headers.get('x-request-id'), body.request_id)
  })
}

idempotency('rejects a different request under the same key', async () => {
  await post({ pet_id: 'a' }, 'd')
  await postFile('x', 'f')
  const different: [what: string, second: Promise<Response>][] = [
    ['another value', post({ pet_id: 'b' }, 'd')],
    ['another route', post({ pet_id: 'a' }, 'd', '/other')],
    ['a file', postFile('x', 'd')],
    ['another file', postFile('y', 'f')],
  ]
  for (const [what, second] of different) {
    const error = await readError(await second)
    assert.is(error.status, 422, what)
    assert.match(error.message, 'was used for another request', what)
  }
})

for (const error of [new SvcError('invalid_request', 'The photo is too small.'), new Error('boom')]) {
  idempotency(`frees the key of a request that fails with “${error.message}”`, async () => {
    failNext = error
    const key = `again ${error.message}`
    assert.ok((await post({}, key)).status >= 400)
    const response = await post({ pet_id: 'another' }, key)
    assert.is(response.status, 200)
    assert.is(response.headers.get('idempotent-replayed'), null)
  })
}

idempotency('does not use up the key of a rejected request', async () => {
  assert.is((await post({ pet_id: 7 }, 'shape')).status, 422)
  assert.is((await post({ pet_id: 'a' }, 'shape')).status, 200)
})

idempotency('rejects keys that are not 1 to 255 printable ASCII characters', async () => {
  for (const key of ['', 'x'.repeat(256), 'é', 'a\tb']) {
    const error = await readError(await post({}, key))
    assert.is(error.status, 422, key)
    assert.match(error.message, '1 to 255 printable ASCII')
  }
})

idempotency('stores no API key that is sent in place of one', async () => {
  const error = await readError(await post({}, `svc_${'0'.repeat(26)}_${'x'.repeat(43)}`))
  assert.equal(
    [error.status, error.message],
    [422, 'The Idempotency-Key must not hold an API key. Send a random text, such as a UUID.'],
  )
})

idempotency.run()
