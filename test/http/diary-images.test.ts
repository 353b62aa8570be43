// run: fleet
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, newUser, startMediaApp, startPhotoSite } from '../helpers/media.js'

const diary = suite('POST /v1/pet-diary-images/generate')
const path = '/v1/pet-diary-images/generate'
let site: Awaited<ReturnType<typeof startPhotoSite>>
let app: MediaApp
/** Has the poses `lying` and `walking`, and no pet ID. */
let avatar: Json
let catKey: string
diary.before(async () => {
  site = await startPhotoSite()
  app = await startMediaApp({ SVC_ALLOW_PRIVATE_URLS: '1', SVC_STUB_FAIL: 'beach_run' })
  avatar = await app.makeAvatar({ poses: ['lying', 'walking'], user_id: 'u7', pet_id: '', breed: 'Beagle' })
  catKey = (await app.makeAvatar({ pose: 'sitting', species: 'cat' })).images.sitting.generated_cos_key
})
diary.after(async () => {
  site.close()
  await app.close()
})

const countPhotos = async () => (await app.listObjects('ai-gateway/photos/')).length
const fromAsset = (fields: Record<string, unknown> = {}) => ({
  identity_asset_id: avatar.identity_asset_id,
  scene_ids: ['park_walk'],
  ...fields,
})
const fromUrl = (fields: Record<string, unknown> = {}) => ({
  ...{ user_id: 'u1', pet_id: 'p1', species: 'dog', source_image_url: site.photoUrl, scene_ids: ['sofa_nap'] },
  ...fields,
})
const fromKey = (fields: Record<string, unknown> = {}) => ({
  ...{ user_id: 'u1', pet_id: 'p1', species: 'cat', cos_key: catKey, scene_ids: ['sofa_nap'] },
  ...fields,
})

diary('creates one picture and returns its ID and polling interval', async () => {
  const { status, body } = await app.send('POST', path, fromAsset(), { 'x-request-id': 'call-1' })
  assert.is(status, 200)
  assert.match(body.task_id, /^diary_[0-9A-Z]{26}$/)
  assert.equal(body, {
    request_id: 'call-1',
    task_id: body.task_id,
    kind: 'diary',
    status: 'pending',
    selected_pose: 'walking',
    poll_after_seconds: 3,
  })
})

diary('creates a library of several and returns its ID and polling interval', async () => {
  const scene_ids = ['sofa_nap', 'park_walk', 'yarn_play']
  const { status, body } = await app.send('POST', path, fromKey({ scene_ids, user_id: newUser() }))
  assert.is(status, 200)
  assert.match(body.task_id, /^diary_lib_[0-9A-Z]{26}$/)
  assert.equal(body, {
    request_id: body.request_id,
    task_id: body.task_id,
    kind: 'diary_library',
    status: 'pending',
    profile: 'cat',
    total_count: 3,
    poll_after_seconds: 3,
  })
})

diary('shows the weather of the day through the window of a holiday, and leaves scenes their own', async () => {
  const draw = async (scene: string, weather?: string | null) => {
    const { image_url } = await app.makeDiary(fromAsset({ scene_ids: [scene], weather }))
    const response = await app.app.fetch(new Request(image_url))
    return createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex')
  }
  const usual = await draw('christmas_day')
  const rainy = await draw('christmas_day', 'lluvia')
  assert.is.not(rainy, usual)
  assert.is(await draw('christmas_day', 'rain'), rainy)
  for (const weather of [null, 'purple']) assert.is(await draw('christmas_day', weather), usual)
  assert.is(await draw('snow_play', 'rain'), await draw('snow_play'))
})

diary('makes a library again for another weather', async () => {
  const library = { user_id: newUser(), scene_ids: ['sofa_nap', 'snow_play'], weather: 'rain' }
  const create = async (fields: Record<string, unknown>) => {
    const { body } = await app.send('POST', path, fromKey({ ...library, ...fields }))
    await app.idle()
    return body.status
  }
  assert.is(await create({}), 'pending')
  assert.is(await create({}), 'success')
  // The scene with its own weather is reused.
  assert.is(await create({ weather: 'fog' }), 'processing')
  assert.is(await create({ weather: 'foggy' }), 'success')
})

diary('shows a finished picture with exactly the fields of the contract and our additions', async () => {
  const { created_at, updated_at, request_id, image_url, ...rest } = await app.makeDiary(fromAsset({ diary_id: 'd1' }))
  assert.equal(rest, {
    task_id: rest.task_id,
    kind: 'diary',
    library_task_id: null,
    user_id: 'u7',
    pet_id: 'temporary',
    diary_id: 'd1',
    identity_asset_id: avatar.identity_asset_id,
    scene_id: 'park_walk',
    selected_pose: 'walking',
    prompt_version: 'V4.3',
    status: 'success',
    generated_cos_key: `ai-gateway/diary/${rest.task_id}.png`,
    image_id: `img_${rest.task_id.slice('diary_'.length)}`,
    error_code: null,
    error_message: null,
  })
  assert.equal([typeof created_at, typeof updated_at, typeof request_id], ['string', 'string', 'string'])
  assert.equal(await app.open(image_url), { status: 200, type: 'image/png' })
})

diary('takes owner and species from the asset, and checks the IDs of the body all the same', async () => {
  const record = await app.makeDiary(fromAsset({ user_id: 'other', pet_id: 'other', species: 'cat' }))
  assert.equal([record.user_id, record.pet_id], ['u7', 'temporary'])
  assert.is((await app.send('POST', path, fromAsset({ scene_ids: ['yarn_play'], species: 'cat' }))).status, 422)
  for (const species of ['bird', '', 5, [], {}]) {
    const { status } = await app.send('POST', path, fromAsset({ species }))
    assert.is(status, 200, `species ${JSON.stringify(species)}`)
  }
  const { status, body } = await app.send('POST', path, fromAsset({ pet_id: 'p 1' }))
  assert.is(status, 422)
  assert.match(body.error.message, '`pet_id`')
})

diary('stores the photo of a URL before the task exists, and books under the IDs of the body', async () => {
  const before = await countPhotos()
  const { body } = await app.send('POST', path, fromUrl({ source_image_url: `[photo](${site.photoUrl})` }))
  assert.is(await countPhotos(), before + 1)
  const record = (await app.send('GET', `/v1/pet-diary-images/tasks/${body.task_id}?user_id=u1`)).body
  assert.equal([record.user_id, record.pet_id, record.identity_asset_id], ['u1', 'p1', null])
})

diary('uses a stored picture in place, without a copy', async () => {
  const before = await countPhotos()
  const record = await app.makeDiary(fromKey())
  assert.is(record.status, 'success')
  assert.is(await countPhotos(), before)
  // The key of a diary picture works as well.
  assert.is((await app.send('POST', path, fromKey({ cos_key: record.generated_cos_key }))).status, 200)
})

diary('uses the prompts of a version, by default of the newest', async () => {
  for (const [given, version] of [
    ['V3.0', 'V3.0'],
    ['diary-prompt-V4.1', 'V4.1'],
    [null, 'V4.3'],
  ]) {
    const { body } = await app.send('POST', path, fromKey({ prompt_version: given, user_id: 'versions' }))
    const record = (await app.send('GET', `/v1/pet-diary-images/tasks/${body.task_id}?user_id=versions`)).body
    assert.is(record.prompt_version, version)
  }
})

diary('treats null as omitted', async () => {
  const nothing = { identity_asset_id: null, source_image_url: null, diary_id: null }
  for (const fields of [fromKey(nothing), fromAsset({ cos_key: null, source_image_url: null })])
    assert.is((await app.send('POST', path, fields)).status, 200)
})

diary('shows a failure', async () => {
  const record = await app.makeDiary(fromKey({ scene_ids: ['beach_run'] }))
  const shown = [record.status, record.error_code, record.image_id, record.generated_cos_key, record.image_url]
  assert.equal(shown, ['failed', 'provider_error', null, null, null])
  assert.match(record.error_message, 'did not make this picture')
  assert.not.ok('poll_after_seconds' in record)
})

diary('shows a library, and books a request and the pictures that were made', async () => {
  const user_id = newUser()
  const scene_ids = ['sofa_nap', 'beach_run']
  const { request_id, items, created_at, updated_at, ...rest } = await app.makeDiary(fromKey({ scene_ids, user_id }))
  assert.equal(rest, {
    task_id: rest.task_id,
    kind: 'diary_library',
    status: 'partial_success',
    profile: 'cat',
    ...{ total_count: 2, completed_count: 2, success_count: 1, failed_count: 1 },
    user_id,
    pet_id: 'p1',
    identity_asset_id: null,
    prompt_version: 'V4.3',
  })
  assert.equal(
    items.map((item: Json) => [item.scene_id, item.selected_pose, item.status, item.library_task_id]),
    [
      ['sofa_nap', 'lying', 'success', rest.task_id],
      ['beach_run', 'running', 'failed', rest.task_id],
    ],
  )
  assert.is(new Set(items.map((item: Json) => item.task_id)).size, 2)
  assert.ok(items.every((item: Json) => item.request_id === request_id))
  assert.ok(created_at <= updated_at)
  assert.equal(await readUsage(user_id), [1, 1])
})

/** Returns the requests and pictures that are booked for a user. */
async function readUsage(user: string): Promise<readonly number[]> {
  const { entries } = (await app.send('GET', '/_svc/usage?by=user')).body
  const { requests, units } = entries.find(({ user_id }: Json) => user_id === user)
  return [requests, units]
}

diary('reuses the pictures that a library would make again, unless the request differs', async () => {
  const user_id = newUser()
  const fields = (change = {}) => fromKey({ scene_ids: ['sofa_nap', 'dinner_time'], user_id, ...change })
  const keysOf = ({ items }: Json): string[] => items.map((item: Json) => item.generated_cos_key)
  const first = await app.makeDiary(fields())
  const again = await app.send('POST', path, fields())
  assert.is(again.body.status, 'success')
  const second = (await app.send('GET', `/v1/pet-diary-images/tasks/${again.body.task_id}?user_id=${user_id}`)).body
  assert.equal(keysOf(second), keysOf(first))
  assert.is(new Set([...first.items, ...second.items].map((item: Json) => item.image_id)).size, 4)
  assert.equal([second.success_count, second.completed_count], [2, 2])
  for (const change of [{ force_regenerate: true }, { prompt_version: 'V4.2' }, { pet_id: 'other' }]) {
    const others = keysOf(await app.makeDiary(fields(change)))
    assert.not.ok(
      others.some((key) => keysOf(first).includes(key)),
      Object.keys(change)[0],
    )
  }
  assert.equal(await readUsage(user_id), [5, 8])
})

diary('reuses a picture of the same photo from a URL, but never for a single picture', async () => {
  const user_id = newUser()
  const single = await app.makeDiary(fromUrl({ user_id }))
  const again = await app.makeDiary(fromUrl({ user_id, force_regenerate: false }))
  assert.is.not(again.generated_cos_key, single.generated_cos_key)
  const library = await app.makeDiary(fromUrl({ user_id, scene_ids: ['sofa_nap', 'beach_run'] }))
  assert.is(library.items[0].generated_cos_key, again.generated_cos_key)
})

diary('makes a picture again whose file was lost', async () => {
  const fields = fromKey({ scene_ids: ['sofa_nap', 'dinner_time'], user_id: newUser() })
  const [lost, kept] = (await app.makeDiary(fields)).items.map((item: Json) => item.generated_cos_key)
  await app.loseObject(lost)
  const [again, same] = (await app.makeDiary(fields)).items.map((item: Json) => item.generated_cos_key)
  assert.is.not(again, lost)
  assert.is(same, kept)
})

const wrong: readonly [what: string, fields: () => Json, named: string][] = [
  ['no source', () => fromKey({ cos_key: undefined }), 'exactly one'],
  ['two sources', () => fromKey({ source_image_url: site.photoUrl }), 'exactly one'],
  ['no species', () => fromKey({ species: undefined }), 'species'],
  ['another species', () => fromKey({ species: 'bird' }), 'species'],
  ['an unknown scene', () => fromKey({ scene_ids: ['sofa_nap', 'moon_walk'] }), '`scene_ids` has "moon_walk"'],
  ['a misspelled scene', () => fromKey({ scene_ids: ['sofa_nab'] }), 'Did you mean sofa_nap\\?'],
  ['a scene of an old library', () => fromKey({ scene_ids: ['studio_portrait'] }), '`scene_ids` has "studio_portrait"'],
  ['a scene for dogs', () => fromKey({ scene_ids: ['ball_chase'] }), '`scene_ids` has ball_chase, .* a cat'],
  ['a scene for cats', () => fromAsset({ scene_ids: ['yarn_play'] }), '`scene_ids` has yarn_play, .* a dog'],
  ['an unknown version', () => fromKey({ prompt_version: 'V9.9' }), 'prompt_version'],
  ['a key with another prefix', () => fromKey({ cos_key: 'elsewhere/pet.png' }), 'cos_key'],
  ['a key with path traversal', () => fromKey({ cos_key: 'ai-gateway/../secret' }), 'cos_key'],
  ['a key with a backslash', () => fromKey({ cos_key: 'ai-gateway/a\\b.png' }), 'cos_key'],
  ['a key with a control character', () => fromKey({ cos_key: 'ai-gateway/a\n.png' }), 'cos_key'],
  ['a stored clip', () => fromKey({ cos_key: clipKey }), 'cos_key'],
  ['a URL of another scheme', () => fromUrl({ source_image_url: 'ftp://127.0.0.1/pet.jpg' }), 'source_image_url'],
  ['a URL that answers 404', () => fromUrl({ source_image_url: `${site.origin}/gone` }), 'source_image_url'],
]
const clipKey = 'ai-gateway/diary/clip.mp4'
diary('rejects invalid fields, names them, and stores nothing', async () => {
  await app.storeObject(clipKey, Buffer.from('clip'))
  const count = async () => [await countPhotos(), (await app.send('GET', '/v1/pet-diary-images')).body.total]
  const before = await count()
  for (const [what, fields, named] of wrong) {
    const { status, body } = await app.send('POST', path, fields())
    assert.equal([status, body.error?.code], [422, 'invalid_request'], what)
    assert.match(body.error.message, new RegExp(named), what)
  }
  assert.equal(await count(), before)
})

diary('finds no asset or file that does not exist, before it looks at the scenes', async () => {
  const [asset, cos_key] = ['pia_01K00000000000000000000000', 'ai-gateway/avatars/none.png']
  for (const fields of [
    { identity_asset_id: asset, cos_key: undefined },
    { identity_asset_id: asset.replace('pia_', 'avatar_'), cos_key: undefined },
    { cos_key },
    { cos_key: 'ai-gateway/a b.png' },
    { cos_key, scene_ids: ['ball_chase'] },
  ]) {
    const { status, body } = await app.send('POST', path, fromKey(fields))
    assert.equal([status, body.error.code], [404, 'not_found'], JSON.stringify(fields))
  }
})

diary('accepts no feedback on diary pictures', async () => {
  const { generated_cos_key: cos_key } = await app.makeDiary(fromKey())
  const { status } = await app.send('POST', '/v1/pet-avatars/feedback', { feedbacks: [{ cos_key, liked: true }] })
  assert.is(status, 422)
})

diary.run()
