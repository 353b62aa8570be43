// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, newUser, startMediaApp } from '../helpers/media.js'

const select = suite('POST /v1/pet-diary-image-libraries/select')
const path = '/v1/pet-diary-image-libraries/select'
let app: MediaApp
let cos_key: string
select.before(async () => {
  app = await startMediaApp({ SVC_STUB_FAIL: 'lake_boat' })
  cos_key = (await app.makeAvatar({ pose: 'sitting' })).images.sitting.generated_cos_key
})
select.after(() => app.close())

const day = (change: Record<string, unknown> = {}, facts: Record<string, unknown> = {}) => ({
  ...{ user_id: 'u1', pet_id: 'p1', date: '2026-10-20' },
  ...change,
  facts: { species: 'dog', weather: 'rain', location: 'home', activity: 'watch', ...facts },
})

select('draws the shared picture of a day on first use, stores it, and returns the same one afterwards', async () => {
  const { status, body } = await app.send('POST', path, day({ diary_id: 'd1' }))
  assert.is(status, 200, JSON.stringify(body))
  const { selection_id, image_id, image_url, generated_cos_key, ...rest } = body
  assert.match(selection_id, /^sel_[0-9A-Z]{26}$/)
  assert.match(image_id, /^img_[0-9A-Z]{26}$/)
  assert.equal(rest, {
    scene_id: 'rainy_window',
    match_reason: { score: rest.match_reason.score, matched: ['weather', 'location', 'activity'] },
  })
  assert.ok(rest.match_reason.score > 0.5 && rest.match_reason.score <= 1)
  assert.equal(await app.open(image_url), { status: 200, type: 'image/png' })
  const again = (await app.send('POST', path, day({ user_id: 'u2' }))).body
  assert.equal([again.image_id, again.generated_cos_key], [image_id, generated_cos_key])
  assert.is.not(again.selection_id, selection_id)
  const { body: record } = await app.send('GET', `/v1/pet-diary-images/${image_id}`)
  const { user_id, pet_id, scene_id } = record
  assert.equal([user_id, pet_id, scene_id, record.status], ['shared', 'shared', 'rainy_window', 'success'])
})

select('draws a picture once for concurrent requests', async () => {
  const asked = day({}, { activity: 'eat', weather: null })
  const answers = await Promise.all(Array.from({ length: 4 }, () => app.send('POST', path, asked)))
  assert.equal([...new Set(answers.map(({ body }) => body.scene_id))], ['dinner_time'])
  assert.is(new Set(answers.map(({ body }) => body.image_id)).size, 1)
})

select('selects another picture for a cat', async () => {
  const dog = (await app.send('POST', path, day())).body
  const cat = (await app.send('POST', path, day({}, { species: 'cat' }))).body
  assert.is(cat.scene_id, dog.scene_id)
  assert.is.not(cat.image_id, dog.image_id)
})

select("prefers a better picture, then the pet's own, then its newest whose file is there", async () => {
  const user_id = newUser()
  const fields = { user_id, pet_id: 'p1', species: 'dog', cos_key, scene_ids: ['rainy_window', 'sofa_nap'] }
  await app.makeDiary(fields)
  const newest = await app.makeDiary({ ...fields, force_regenerate: true })
  const own = (await app.send('POST', path, day({ user_id }))).body
  assert.is(own.image_id, newest.items[0].image_id)
  const other = (await app.send('POST', path, day({ user_id, pet_id: 'p2' }))).body
  assert.is.not(other.image_id, own.image_id)
  const better = (await app.send('POST', path, day({ user_id }, { activity: 'eat', weather: null }))).body
  assert.is(better.scene_id, 'dinner_time')
  await app.loseObject(own.generated_cos_key)
  const next = (await app.send('POST', path, day({ user_id }))).body
  assert.is.not(next.image_id, own.image_id)
  assert.is((await app.open(next.image_url)).status, 200)
})

select('draws a shared picture again whose file is lost', async () => {
  const asked = day({}, { activity: 'eat', weather: null })
  const before = (await app.send('POST', path, asked)).body
  await app.loseObject(before.generated_cos_key)
  const after = (await app.send('POST', path, asked)).body
  assert.is(after.scene_id, before.scene_id)
  assert.is.not(after.image_id, before.image_id)
  assert.equal(await app.open(after.image_url), { status: 200, type: 'image/png' })
  assert.is((await app.send('POST', path, asked)).body.image_id, after.image_id)
})

select('accepts facts that are null, omitted or unknown', async () => {
  const facts = { weather: null, location: 'on the moon', mood: '', season: undefined }
  const { status, body } = await app.send('POST', path, day({}, { ...facts, activity: 'eat' }))
  assert.is(status, 200)
  assert.equal(body.match_reason.matched, ['activity'])
})

select('counts the request for the pet, and marks omitted IDs', async () => {
  const before = (await app.send('GET', '/_svc/usage?missing_id=true')).body.entries
  assert.is((await app.send('POST', path, day({ user_id: undefined, pet_id: null }))).status, 200)
  const after = (await app.send('GET', '/_svc/usage?missing_id=true')).body.entries
  const requestsOf = (entries: Json[]) =>
    entries.filter((entry) => entry.missing.length === 2).reduce((sum, { requests }) => sum + requests, 0)
  assert.is(requestsOf(after), requestsOf(before) + 1)
})

select('reports that a shared picture could not be made, and retries on the next call', async () => {
  const asked = day({}, { location: 'lake', activity: 'travel', weather: 'sun', season: 'summer' })
  for (const _ of [1, 2]) {
    const { status, body } = await app.send('POST', path, asked)
    assert.is(status, 502)
    assert.is(body.error.code, 'provider_error')
  }
})

select('answers 404 if nothing is shared and the pet has no library', async () => {
  const alone = await startMediaApp({ SVC_SHARED_LIBRARY: '0' })
  const none = await alone.send('POST', path, day())
  assert.is(none.status, 404)
  assert.is(none.body.error.code, 'not_found')
  const { source_cos_key } = await alone.makeAvatar({ pose: 'sitting' })
  const own = { user_id: 'u1', pet_id: 'p1', species: 'dog', cos_key: source_cos_key }
  // A single picture is not a library picture.
  await alone.makeDiary({ ...own, scene_ids: ['rainy_window'] })
  assert.is((await alone.send('POST', path, day())).status, 404)
  await alone.makeDiary({ ...own, scene_ids: ['park_walk', 'beach_run'] })
  assert.is((await alone.send('POST', path, day())).status, 200)
  assert.is((await alone.send('POST', path, day({}, { species: 'cat' }))).status, 404)
  await alone.close()
})

select('rejects a date that is not in the calendar, and a fact that is not a string', async () => {
  for (const [body, named] of [
    [day({ date: '20.10.2026' }), 'YYYY-MM-DD'],
    [day({ date: '2026-02-30' }), 'date'],
    [day({}, { weather: 1 }), 'facts.weather'],
  ] as const) {
    const answer = await app.send('POST', path, body)
    assert.is(answer.status, 422)
    assert.match(answer.body.error.message, named)
  }
})

select.run()
