// run: fleet

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, makeForm, makePhoto, newUser, startMediaApp } from '../helpers/media.js'

const avatars = suite('POST /v1/pet-avatar/generate')
const path = '/v1/pet-avatar/generate'
const photoSite = createServer(async (request, response) => {
  if (request.url === '/pet.jpg') response.setHeader('content-type', 'image/jpeg').end(await makePhoto())
  else if (request.url === '/page') response.setHeader('content-type', 'text/html').end('<p>no photo</p>')
  else response.writeHead(404).end()
})
let app: MediaApp
let photoUrl: string
avatars.before(async () => {
  await new Promise<void>((resolve) => photoSite.listen(0, '127.0.0.1', resolve))
  photoUrl = `http://127.0.0.1:${(photoSite.address() as AddressInfo).port}/pet.jpg`
  app = await startMediaApp({ SVC_ALLOW_PRIVATE_URLS: '1' })
})
avatars.after(async () => {
  photoSite.close()
  await app.close()
})

const json = (fields: Record<string, unknown> = {}) => ({
  source_image_url: photoUrl,
  species: 'dog',
  user_id: 'u1',
  pet_id: 'p1',
  ...fields,
})
const read = async (taskId: string): Promise<Json> => (await app.send('GET', `/v1/pet-avatar/tasks/${taskId}`)).body
const countPhotos = async () => (await app.listObjects('ai-gateway/photos/')).length

avatars('accepts a photo in a form and returns a task ID and polling interval', async () => {
  const { status, headers, body } = await app.send('POST', path, await makeForm(), { 'x-request-id': 'call-1' })
  assert.is(status, 200)
  assert.is(headers.get('x-request-id'), 'call-1')
  assert.match(body.task_id, /^avatar_[0-9A-Z]{26}$/)
  assert.equal(body, {
    request_id: 'call-1',
    task_id: body.task_id,
    status: 'pending',
    message: 'The avatar task was created.',
    poll_after_seconds: 3,
  })
})

avatars('answers in Chinese for the Chinese locale', async () => {
  const { body } = await app.send('POST', path, await makeForm({ locale: 'zh-CN' }))
  assert.is(body.message, '头像生成任务已创建。')
})

avatars('answers at the legacy path', async () => {
  const { status, body } = await app.send('POST', '/v1/pet-avatars/generate', await makeForm())
  assert.is(status, 200)
  assert.is((await read(body.task_id)).task_id, body.task_id)
})

const addresses: readonly [string, (url: string) => string][] = [
  ['an address', (url) => url],
  ['a Markdown link', (url) => `[${url}](${url})`],
  ['a Markdown link with a text', (url) => `[my dog](${url})`],
]
for (const [what, write] of addresses) {
  avatars(`accepts ${what} of a photo`, async () => {
    const { status, body } = await app.send('POST', path, json({ source_image_url: write(photoUrl) }))
    assert.is(status, 200)
    const { source_cos_key, source_url } = await read(body.task_id)
    assert.is(source_cos_key, `ai-gateway/photos/${body.task_id}.jpg`)
    assert.is((await app.open(source_url)).type, 'image/jpeg')
  })
}

avatars('accepts a URL in a form too', async () => {
  const form = await makeForm({ source_image: undefined, source_image_url: photoUrl })
  assert.is((await app.send('POST', path, form)).status, 200)
})

const emoji = '🐶'
const kept: readonly [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    'IDs of the maximum length',
    { user_id: emoji.repeat(128), pet_id: 'a'.repeat(128) },
    { user_id: emoji.repeat(128), pet_id: 'a'.repeat(128) },
  ],
  ['every character of a pet ID', { pet_id: 'aZ09_-' }, { pet_id: 'aZ09_-' }],
  ['no user', { user_id: undefined }, { user_id: 'temporary', pet_id: 'p1' }],
  ['no pet', { pet_id: undefined }, { user_id: 'u1', pet_id: 'temporary' }],
  ['a user that is null', { user_id: null }, { user_id: 'temporary' }],
  ['no IDs at all', { user_id: null, pet_id: null }, { user_id: 'temporary', pet_id: 'temporary' }],
]
for (const [what, fields, shown] of kept) {
  avatars(`keeps ${what}`, async () => {
    const { status, body } = await app.send('POST', path, json(fields))
    assert.is(status, 200, JSON.stringify(body))
    const task = await read(body.task_id)
    for (const [name, value] of Object.entries(shown)) assert.is(task[name], value)
  })
}

avatars('treats empty form fields as omitted', async () => {
  const empty = {
    user_id: '',
    pet_id: '',
    pet_name: '',
    breed: '',
    pose: '',
    poses: '',
    locale: '',
    source_image_url: '',
  }
  const { status, body } = await app.send('POST', path, await makeForm(empty))
  assert.is(status, 200, JSON.stringify(body))
  const task = await read(body.task_id)
  assert.equal([task.user_id, task.pet_id], ['temporary', 'temporary'])
  assert.equal(Object.keys(task.images), ['lying', 'sitting', 'walking', 'running'])
})

for (const fields of [
  { pet_name: emoji.repeat(128) },
  { breed: emoji.repeat(128) },
  { species: 'cat' },
  { color: 'red' },
]) {
  avatars(`accepts ${Object.keys(fields)}`, async () => {
    assert.is((await app.send('POST', path, json(fields))).status, 200)
  })
}

const choices: readonly [string, Record<string, unknown>, readonly string[]][] = [
  ['all poses by default', {}, ['lying', 'sitting', 'walking', 'running']],
  ['all poses', { pose: 'all' }, ['lying', 'sitting', 'walking', 'running']],
  ['one pose', { pose: 'walking' }, ['walking']],
  ['a list', { poses: ['running', 'lying'] }, ['running', 'lying']],
  ['an array in preference to one pose', { pose: 'sitting', poses: ['lying'] }, ['lying']],
]
for (const [what, fields, poses] of choices) {
  avatars(`draws ${what}`, async () => {
    const { body } = await app.send('POST', path, json(fields))
    assert.equal(Object.keys((await read(body.task_id)).images), poses)
  })
}
for (const [what, poses] of [
  ['a repeated field', ['running', 'lying']],
  ['one field with a JSON array', '["running","lying"]'],
] as const) {
  avatars(`reads the poses of a form from ${what}`, async () => {
    const { status, body } = await app.send('POST', path, await makeForm({ poses }))
    assert.is(status, 200, JSON.stringify(body))
    assert.equal(Object.keys((await read(body.task_id)).images), ['running', 'lying'])
  })
}

const wrong: readonly [string, Record<string, unknown>, string][] = [
  ['no species', { species: undefined }, 'species'],
  ['another species', { species: 'bird' }, '`species` must be dog or cat'],
  ['an empty user', { user_id: '' }, 'user_id'],
  ['a user of 129 characters', { user_id: 'u'.repeat(129) }, 'user_id'],
  ['a user that is a number', { user_id: 7 }, 'user_id'],
  ['an empty pet', { pet_id: '' }, 'pet_id'],
  ['a pet of 129 characters', { pet_id: 'p'.repeat(129) }, 'pet_id'],
  ['a pet with a space', { pet_id: 'p 1' }, '`pet_id` must contain only letters, digits, _ and -'],
  ['a pet with a letter beyond ASCII', { pet_id: 'é' }, 'pet_id'],
  ['a pet that ends in a line break', { pet_id: 'p1\n' }, 'pet_id'],
  ['an empty name', { pet_name: '' }, 'pet_name'],
  ['a name of 129 characters', { pet_name: emoji.repeat(129) }, 'pet_name'],
  ['a name that is null', { pet_name: null }, 'pet_name'],
  ['a breed of 129 characters', { breed: 'b'.repeat(129) }, 'breed'],
  ['another pose', { pose: 'flying' }, 'pose'],
  ['an invalid pose next to a valid array', { pose: 'flying', poses: ['lying'] }, 'pose'],
  ['no pose in the list', { poses: [] }, 'poses'],
  ['a pose twice', { poses: ['lying', 'lying'] }, 'poses'],
  ['`all` in the list', { poses: ['all'] }, 'poses'],
  ['a string in place of an array', { poses: 'lying' }, 'poses'],
  ['another locale', { locale: 'es' }, 'locale'],
  ['no photo', { source_image_url: undefined }, 'source_image'],
  ['an empty URL', { source_image_url: '' }, 'source_image_url'],
  ['a URL that is null', { source_image_url: null }, 'source_image_url'],
  ['a URL of another scheme', { source_image_url: 'ftp://127.0.0.1/pet.jpg' }, 'source_image_url'],
  ['a file URL', { source_image_url: 'file:///etc/passwd' }, 'source_image_url'],
  ['a relative URL', { source_image_url: 'pet.jpg' }, 'source_image_url'],
]
for (const [what, fields, named] of wrong) {
  avatars(`rejects ${what} and names the field`, async () => {
    const { status, body } = await app.send('POST', path, json(fields))
    assert.is(status, 422)
    assert.is(body.error.code, 'invalid_request')
    assert.match(body.error.message, named)
  })
}

avatars('rejects a photo together with a URL, and neither of them', async () => {
  const both = await app.send('POST', path, await makeForm({ source_image_url: photoUrl }))
  assert.is(both.status, 422)
  assert.match(both.body.error.message, 'not both')
  assert.is((await app.send('POST', path, await makeForm({ source_image: undefined }))).status, 422)
})

avatars('rejects a URL that leads to something else than a photo, and stores nothing', async () => {
  const before = await countPhotos()
  for (const source_image_url of [photoUrl.replace('pet.jpg', 'page'), photoUrl.replace('pet.jpg', 'gone')]) {
    const { status, body } = await app.send('POST', path, json({ source_image_url }))
    assert.is(status, 422)
    assert.match(body.error.message, 'source_image_url')
  }
  assert.is(await countPhotos(), before)
})

const photos: readonly [string, () => Promise<Buffer> | Buffer][] = [
  ['a picture that is too small', () => makePhoto(400, 255)],
  ['a text', () => Buffer.from('no picture at all')],
  ['a JPEG that is cut off', async () => (await makePhoto()).subarray(0, 900)],
]
for (const [what, make] of photos) {
  avatars(`rejects ${what}`, async () => {
    const before = await countPhotos()
    const { status, body } = await app.send('POST', path, await makeForm({ source_image: await make() }))
    assert.is(status, 422)
    assert.is(body.error.code, 'invalid_request')
    assert.match(body.error.message, 'source_image')
    assert.is(await countPhotos(), before)
  })
}

avatars('applies the configured minimum side and maximum size', async () => {
  const strict = await startMediaApp({ SVC_IMAGE_MIN_SIDE: '301', SVC_IMAGE_MAX_BYTES: '20000' })
  const small = await strict.send('POST', path, await makeForm())
  assert.is(small.status, 422)
  assert.match(small.body.error.message, '301')
  const large = Buffer.concat([await makePhoto(400, 400), Buffer.alloc(20_000)])
  assert.is((await strict.send('POST', path, await makeForm({ source_image: large }))).status, 422)
  assert.is((await strict.send('POST', path, await makeForm({ source_image: await makePhoto(400, 301) }))).status, 200)
  await strict.close()
})

avatars('does not fetch from private addresses by default', async () => {
  const strict = await startMediaApp()
  const { status, body } = await strict.send('POST', path, json())
  assert.is(status, 422)
  assert.match(body.error.message, 'source_image_url')
  await strict.close()
})

avatars('performs a request with an Idempotency-Key once', async () => {
  const user_id = newUser()
  const header = { 'idempotency-key': 'avatar-once' }
  const refused = await app.send('POST', path, json({ user_id, species: 'bird' }), header)
  assert.is(refused.status, 422)
  const first = await app.send('POST', path, json({ user_id }), header)
  assert.is(first.status, 200)
  assert.is(first.headers.get('idempotent-replayed'), null)
  const again = await app.send('POST', '/v1/pet-avatars/generate', json({ user_id }), header)
  assert.is(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.body, first.body)
  assert.is.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
  const other = await app.send('POST', path, json({ user_id, species: 'cat' }), header)
  assert.is(other.status, 422)
  assert.match(other.body.error.message, 'Idempotency-Key')
  await app.idle()
  assert.is((await app.send('GET', `/v1/pet-avatars?user_id=${user_id}`)).body.total, 1)
})

avatars.run()
