// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, makeForm, makePhoto, startMediaApp, startPhotoSite } from '../helpers/media.js'

const avatars = suite('POST /v1/pet-avatar/generate')
const path = '/v1/pet-avatar/generate'
let site: Awaited<ReturnType<typeof startPhotoSite>>
/** Runs no task. */
let app: MediaApp
avatars.before(async () => {
  site = await startPhotoSite()
  app = await startMediaApp({
    ...{ SVC_ALLOW_PRIVATE_URLS: '1', SVC_ROLE: 'web' },
    ...{ SVC_IMAGE_MIN_SIDE: '290', SVC_IMAGE_MAX_BYTES: '20000' },
  })
})
avatars.after(async () => {
  site.close()
  await app.close()
})

const json = (fields: Json = {}) => ({
  ...{ source_image_url: site.photoUrl, species: 'dog', user_id: 'u1', pet_id: 'p1' },
  ...fields,
})
const create = async (body: unknown, from = path) => app.send('POST', from, body)
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

avatars('answers in Chinese for the Chinese locale, also at the legacy path', async () => {
  const { body } = await create(await makeForm({ locale: 'zh-CN' }), '/v1/pet-avatars/generate')
  assert.is(body.message, '头像生成任务已创建。')
  assert.is((await read(body.task_id)).task_id, body.task_id)
})

avatars('accepts a link to a photo, and stores the photo', async () => {
  const { status, body } = await create(json({ source_image_url: `[my dog](${site.photoUrl})` }))
  assert.is(status, 200, JSON.stringify(body))
  const { source_cos_key, source_url } = await read(body.task_id)
  assert.is(source_cos_key, `ai-gateway/photos/${body.task_id}.jpg`)
  assert.is((await app.open(source_url)).type, 'image/jpeg')
})

const emoji = '🐶'
const all = ['lying', 'sitting', 'walking', 'running']
const longest = { user_id: emoji.repeat(128), pet_id: 'a'.repeat(128) }
const temporary = { user_id: 'temporary', pet_id: 'temporary' }
const accepted: readonly [what: string, fields: Json, shown?: Json, poses?: readonly string[]][] = [
  ['IDs of the maximum length', longest, longest],
  ['every character of a pet ID', { pet_id: 'aZ09_-' }, { pet_id: 'aZ09_-' }],
  ['no user', { user_id: undefined }, { user_id: 'temporary', pet_id: 'p1' }],
  ['no pet', { pet_id: undefined }, { user_id: 'u1', pet_id: 'temporary' }],
  ['IDs that are null', { user_id: null, pet_id: null }, temporary],
  ['a long name and breed', { pet_name: emoji.repeat(128), breed: emoji.repeat(128) }],
  ['a cat', { species: 'cat' }],
  ['an unknown field', { color: 'red' }],
  ['all poses', { pose: 'all' }, {}, all],
  ['one pose', { pose: 'walking' }, {}, ['walking']],
  ['a list of poses', { poses: ['running', 'lying'] }, {}, ['running', 'lying']],
  ['a list in preference to one pose', { pose: 'sitting', poses: ['lying'] }, {}, ['lying']],
]
for (const [what, fields, shown = {}, poses = all] of accepted) {
  avatars(`accepts ${what}`, async () => {
    const { status, body } = await create(json(fields))
    assert.is(status, 200, JSON.stringify(body))
    const task = await read(body.task_id)
    for (const [name, value] of Object.entries(shown)) assert.is(task[name], value)
    assert.equal(Object.keys(task.images), poses)
  })
}

const noTexts = { pet_name: '', breed: '', pose: '', poses: '', locale: '', source_image_url: '' }
const forms: readonly [what: string, fields: () => Json, poses: readonly string[]][] = [
  ['empty fields, as if omitted', () => ({ user_id: '', pet_id: '', ...noTexts }), all],
  ['a URL', () => ({ source_image: undefined, source_image_url: site.photoUrl }), all],
  ['a repeated field of poses', () => ({ poses: ['running', 'lying'] }), ['running', 'lying']],
  ['a JSON array of poses', () => ({ poses: '["running","lying"]' }), ['running', 'lying']],
]
for (const [what, fields, poses] of forms) {
  avatars(`accepts a form with ${what}`, async () => {
    const { status, body } = await create(await makeForm(fields()))
    assert.is(status, 200, JSON.stringify(body))
    assert.equal(Object.keys((await read(body.task_id)).images), poses)
  })
}

const wrong: readonly [what: string, fields: () => Json, named: string][] = [
  ['no species', () => ({ species: undefined }), 'species'],
  ['another species', () => ({ species: 'bird' }), '`species` must be dog or cat'],
  ['an empty user', () => ({ user_id: '' }), 'user_id'],
  ['a pet with a space', () => ({ pet_id: 'p 1' }), '`pet_id` must contain only letters, digits, _ and -'],
  ['an empty name', () => ({ pet_name: '' }), 'pet_name'],
  ['a name of 129 characters', () => ({ pet_name: emoji.repeat(129) }), 'pet_name'],
  ['a name that is null', () => ({ pet_name: null }), 'pet_name'],
  ['a breed of 129 characters', () => ({ breed: 'b'.repeat(129) }), 'breed'],
  ['an invalid pose next to a valid array', () => ({ pose: 'flying', poses: ['lying'] }), 'pose'],
  ['no pose in the list', () => ({ poses: [] }), 'poses'],
  ['a pose twice', () => ({ poses: ['lying', 'lying'] }), 'poses'],
  ['`all` in the list', () => ({ poses: ['all'] }), 'poses'],
  ['another locale', () => ({ locale: 'es' }), 'locale'],
  ['no photo', () => ({ source_image_url: undefined }), 'source_image'],
  ['an empty URL', () => ({ source_image_url: '' }), 'source_image_url'],
  ['a URL that is null', () => ({ source_image_url: null }), 'source_image_url'],
  ['a file URL', () => ({ source_image_url: 'file:///etc/passwd' }), 'source_image_url'],
  ['a URL of a page', () => ({ source_image_url: `${site.origin}/page` }), 'source_image_url'],
  ['a URL that answers 404', () => ({ source_image_url: `${site.origin}/gone` }), 'source_image_url'],
]
avatars('rejects invalid fields, names them, and stores nothing', async () => {
  const before = await countPhotos()
  for (const [what, fields, named] of wrong) {
    const { status, body } = await create(json(fields()))
    assert.equal([status, body.error.code], [422, 'invalid_request'], what)
    assert.match(body.error.message, named, what)
  }
  assert.is(await countPhotos(), before)
})

const photos: readonly [what: string, fields: () => Promise<Json>, says: string][] = [
  ['smaller than configured', async () => ({ source_image: await makePhoto(400, 289) }), '290'],
  ['larger than configured', async () => ({ source_image: Buffer.concat([await makePhoto(), zeros]) }), 'source_image'],
  ['a text', async () => ({ source_image: Buffer.from('no picture at all') }), 'source_image'],
  ['cut off', async () => ({ source_image: (await makePhoto()).subarray(0, 900) }), 'source_image'],
  ['given twice, in the form and by a URL', async () => ({ source_image_url: site.photoUrl }), 'not both'],
]
const zeros = Buffer.alloc(20_000)
avatars('rejects photos that do not fit, and stores nothing', async () => {
  const before = await countPhotos()
  for (const [what, fields, says] of photos) {
    const { status, body } = await create(await makeForm(await fields()))
    assert.equal([status, body.error.code], [422, 'invalid_request'], what)
    assert.match(body.error.message, says, what)
  }
  assert.is(await countPhotos(), before)
})

avatars('does not fetch from private addresses by default', async () => {
  const strict = await startMediaApp()
  const { status, body } = await strict.send('POST', path, json())
  assert.is(status, 422)
  assert.match(body.error.message, 'source_image_url')
  await strict.close()
})

avatars.run()
