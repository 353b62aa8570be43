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

const all = ['lying', 'sitting', 'walking', 'running']
const temporary = { user_id: 'temporary', pet_id: 'temporary' }
const noTexts = { pet_name: '', breed: '', pose: '', poses: '', locale: '', source_image_url: '' }
const accepted: readonly [what: string, body: () => unknown, poses: readonly string[], shown?: Json][] = [
  ['no pet', () => json({ pet_id: undefined }), all, { user_id: 'u1', pet_id: 'temporary' }],
  ['IDs that are null', () => json({ user_id: null, pet_id: null }), all, temporary],
  ['a cat', () => json({ species: 'cat' }), all],
  ['all poses', () => json({ pose: 'all' }), all],
  ['one pose', () => json({ pose: 'walking' }), ['walking']],
  ['a list in preference to one pose', () => json({ pose: 'sitting', poses: ['lying'] }), ['lying']],
  ['a form with empty fields, as if omitted', () => makeForm({ user_id: '', pet_id: '', ...noTexts }), all, temporary],
  ['a form with a URL', () => makeForm({ source_image: undefined, source_image_url: site.photoUrl }), all],
  ['a form with a field for each pose', () => makeForm({ poses: ['running', 'lying'] }), ['running', 'lying']],
  ['a form with a JSON array of poses', () => makeForm({ poses: '["running","lying"]' }), ['running', 'lying']],
]
for (const [what, body, poses, shown = {}] of accepted) {
  avatars(`accepts ${what}`, async () => {
    const created = await create(await body())
    assert.is(created.status, 200, JSON.stringify(created.body))
    const { images, ...task } = await read(created.body.task_id)
    assert.equal({ ...task, ...shown }, task)
    assert.equal(Object.keys(images), poses)
  })
}

const zeros = Buffer.alloc(20_000)
const largePhoto = async () => Buffer.concat([await makePhoto(), zeros])
const cutPhoto = async () => (await makePhoto()).subarray(0, 900)
const wrong: readonly [what: string, body: () => unknown, named: string][] = [
  ['another species', () => json({ species: 'bird' }), '`species` must be dog or cat'],
  ['no photo', () => json({ source_image_url: undefined }), 'source_image'],
  ['a file URL', () => json({ source_image_url: 'file:///etc/passwd' }), 'source_image_url'],
  ['a URL of a page', () => json({ source_image_url: `${site.origin}/page` }), 'source_image_url'],
  ['a URL that answers 404', () => json({ source_image_url: `${site.origin}/gone` }), 'source_image_url'],
  ['a small photo', async () => makeForm({ source_image: await makePhoto(400, 289) }), '290'],
  ['a photo of too many bytes', async () => makeForm({ source_image: await largePhoto() }), 'source_image'],
  ['a text', () => makeForm({ source_image: Buffer.from('no picture at all') }), 'source_image'],
  ['a photo that is cut off', async () => makeForm({ source_image: await cutPhoto() }), 'source_image'],
  ['a photo in the form and by a URL', () => makeForm({ source_image_url: site.photoUrl }), 'not both'],
]
avatars('rejects invalid fields and photos that do not fit, names them, and stores nothing', async () => {
  const before = await countPhotos()
  for (const [what, body, named] of wrong) {
    const answer = await create(await body())
    assert.equal([answer.status, answer.body.error.code], [422, 'invalid_request'], what)
    assert.match(answer.body.error.message, named, what)
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
