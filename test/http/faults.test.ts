// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, type Json, type MediaApp, makeForm, startMediaApp } from '../helpers/media.js'

const faults = suite('faults on demand')

let app: MediaApp
faults.before(async () => {
  app = await startMediaApp()
})
faults.after.each(async () => {
  await app.send('DELETE', '/_svc/faults')
})
faults.after(() => app.close())

async function add(rule: Record<string, unknown>): Promise<string> {
  const { status, body } = await app.send('POST', '/_svc/faults', rule)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.id
}

const list = async (): Promise<Json[]> => (await app.send('GET', '/_svc/faults')).body.data
const models = () => app.send('GET', '/v1/models')
const poll = (id: string) => app.send('GET', `/v1/pet-avatar/tasks/${id}`)
const generate = (pet_id: string, headers: Record<string, string> = {}): Promise<Answer> =>
  app.send('POST', '/v1/home-insights/generate', { user_id: 'u1', pet_id, ...card }, headers)
const card = { pet_name: 'Tom', species: 'cat', locale: 'en-US', date: '2026-10-20', facts: {} }

for (const [status, code, retryAfter] of [
  [401, 'unauthorized', null],
  [403, 'forbidden', null],
  [404, 'not_found', null],
  [409, 'conflict', null],
  [413, 'payload_too_large', null],
  [422, 'invalid_request', null],
  [429, 'rate_limit_exceeded', '1'],
  [500, 'internal_error', null],
  [502, 'provider_error', null],
  [503, 'unavailable', '5'],
] as const) {
  faults(`answers ${status} once in the envelope of the contract, and names the rule`, async () => {
    const id = await add({ route: 'GET /v1/models', status, times: 1 })
    const { headers, body, ...first } = await models()
    assert.is(first.status, status)
    assert.is(body.error.code, code)
    assert.is(body.error.request_id, headers.get('x-request-id'))
    assert.is(headers.get('retry-after'), retryAfter)
    assert.is(headers.get('svc-fault'), id)
    assert.is(headers.get('x-ratelimit-remaining') === '0', status === 429)
    const second = await models()
    assert.equal([second.status, second.headers.get('svc-fault')], [200, null])
    const [{ state, fired }] = await list()
    assert.equal([state, fired], ['spent', 1])
  })
}

faults('fires at every Nth match, and for a time', async () => {
  await add({ route: '/v1/models', status: 503, retry_after: 0, every: 3, for: '5m' })
  const statuses: number[] = []
  for (let call = 0; call < 6; call++) statuses.push((await models()).status)
  assert.equal(statuses, [200, 200, 503, 200, 200, 503])
  await app.moveClock({ advance_seconds: 300 })
  assert.is((await list())[0].state, 'expired')
  for (let call = 0; call < 3; call++) assert.is((await models()).status, 200)
  await app.moveClock({ reset: true })
})

faults('matches by pet, user and key, and spares other calls', async () => {
  const { text, id } = await app.createKey({ name: 'ci' })
  const asCi = { authorization: `Bearer ${text}` }
  await add({ pet: 'tom', user: 'u1', caller: 'ci', status: 500 })
  assert.is((await generate('tom')).status, 200)
  assert.is((await generate('mia', asCi)).status, 200)
  assert.is((await generate('tom', asCi)).status, 500)
  await app.send('DELETE', '/_svc/faults')
  await add({ caller: id, status: 502 })
  assert.is((await generate('mia', asCi)).status, 502)
})

faults('matches by alias, scene and pose, also in the list of a call', async () => {
  const { task_id } = await app.makeAvatar({ poses: ['lying', 'sitting'] })
  const avatar = (poses: string[]) => async () =>
    app.send('POST', '/v1/pet-avatar/generate', await makeForm({ pet_id: 'svc-500', poses }))
  const animate = (pose: string) => () =>
    app.send('POST', '/v1/pet-animation/generate', { avatar_task_id: 'avatar_0', pose })
  const diary = (scene_ids: string[]) => () =>
    app.send('POST', '/v1/pet-diary-images/generate', { identity_asset_id: task_id, scene_ids })
  const sitting = [avatar(['lying', 'sitting']), animate('sitting'), animate('all')]
  for (const [match, fitting, others] of [
    [{ pose: 'sitting' }, sitting, [animate('lying'), models]],
    [{ scene: 'beach_run' }, [diary(['rain_walk', 'beach_run'])], [diary(['rain_walk']), models]],
    // An avatar needs the permission for both models.
    [{ alias: 'svc-animation' }, [animate('lying'), avatar(['lying'])], [diary(['rain_walk']), models]],
    [{ alias: 'svc-avatar' }, [avatar(['lying']), diary(['rain_walk'])], [animate('lying'), models]],
  ] as const) {
    const id = await add({ ...match, status: 503 })
    for (const call of fitting) assert.is((await call()).headers.get('svc-fault'), id, JSON.stringify(match))
    for (const call of others) assert.is.not((await call()).headers.get('svc-fault'), id, JSON.stringify(match))
    await app.send('DELETE', '/_svc/faults')
  }
})

faults('matches the polls of a pet by the owner of the task', async () => {
  const task = await app.createAvatar({ pose: 'sitting' })
  await add({ pet: 'p1', status: 503, times: 1 })
  await app.idle()
  assert.equal([(await poll(task)).status, (await poll(task)).status], [503, 200])
})

faults('fails one pose of a pet with a code, once', async () => {
  const id = await add({ pet: 'p1', pose: 'sitting', code: 'content_refused', times: 1 })
  const poses = ['lying', 'sitting']
  const first = await app.makeAvatar({ poses })
  assert.is(first.status, 'partial_success')
  assert.is(first.images.sitting.error_code, 'content_refused')
  const trace = (await app.send('GET', `/_svc/requests/${first.request_id}`)).body
  const events = trace.task.units.find(({ unit }: Json) => unit === 'sitting').events
  assert.equal([events.at(-1).event, events.at(-1).fault], ['failed', id])
  assert.equal(trace.task.usage.length, 1, 'only what was made is booked')
  assert.is((await app.makeAvatar({ poses })).status, 'success')
})

faults('makes clips without MP4, or without WebP', async () => {
  const { task_id } = await app.makeAvatar({ pose: 'sitting' })
  for (const [only, missing] of [
    ['webp', 'mp4'],
    ['mp4', 'webp'],
  ]) {
    await add({ route: 'POST /v1/pet-animation/generate', only, times: 1 })
    const { status, images } = await app.makeAnimation(task_id, 'sitting')
    const clip = images.sitting
    assert.equal([status, clip.status, clip.error_code], ['partial_success', 'success', null])
    assert.equal([clip[`${missing}_cos_key`], clip[`${missing}_url`]], [null, null])
    assert.match(clip[`${only}_url`], /^http/)
  }
})

faults('answers with addresses that are expired or lead to no file', async () => {
  const { task_id } = await app.makeAvatar({ pose: 'sitting' })
  for (const [how, status] of [
    ['expired', 403],
    ['broken', 404],
  ] as const) {
    await add({ task: task_id, address: how, times: 1 })
    const spoilt = (await poll(task_id)).body.images.sitting.generated_url
    assert.is((await app.open(spoilt)).status, status)
    const refreshed = (await poll(task_id)).body.images.sitting.generated_url
    assert.is((await app.open(refreshed)).status, 200)
  }
})

faults('names no rule in an answer that has nothing for the rule to change', async () => {
  await add({ route: 'GET /v1/models', address: 'broken', times: 1 })
  assert.is((await models()).headers.get('svc-fault'), null)
  const task = await app.createAvatar({ pose: 'sitting' })
  await add({ task, status: 503, every: 2 })
  const named = [(await poll(task)).headers.has('svc-fault'), (await poll(task)).headers.has('svc-fault')]
  assert.equal(named, [false, true])
  await app.idle()
})

faults('fails the fetch of a file', async () => {
  const { images } = await app.makeAvatar({ pose: 'sitting' })
  await add({ route: 'GET /objects/{key}', status: 503, times: 1 })
  assert.is((await app.open(images.sitting.generated_url)).status, 503)
  assert.is((await app.open(images.sitting.generated_url)).status, 200)
})

faults('does not use up an Idempotency-Key with an error that it answers', async () => {
  const source = await app.makeAvatar({ pose: 'sitting' })
  await add({ route: 'POST /v1/pet-animation/generate', status: 503, times: 1 })
  const body = { avatar_task_id: source.task_id, pose: 'sitting' }
  const animate = () => app.send('POST', '/v1/pet-animation/generate', body, { 'idempotency-key': 'refused-1' })
  assert.is((await animate()).status, 503)
  const retry = await animate()
  assert.equal([retry.status, retry.headers.get('idempotent-replayed')], [200, null])
})

faults('answers a body that is not JSON', async () => {
  await add({ route: 'GET /v1/models', body: 'malformed', times: 1 })
  assert.match(String(await models().catch((error) => error)), 'JSON')
  assert.is((await models()).status, 200)
})

for (const [rule, message] of [
  [{}, /^The rule has no effect\. Add `status`, .* for poses and scenes\.$/],
  [{ pose: 'siting', code: 'provider_error' }, /^`pose` is "siting"; .* Did you mean "sitting"\?$/],
  [{ code: 'provider-error' }, /Did you mean "provider_error"\?$/],
  [{ scene: 'beach_rum', code: 'provider_error' }, /^`scene` is "beach_rum"; .* Did you mean "beach_run"\?$/],
  [{ route: 'POST /v1/pet-avatar/generat', status: 500 }, /Did you mean "POST \/v1\/pet-avatar\/generate"\?$/],
  [{ route: 'GET /_svc/faults', status: 500 }, /^`route` is "GET \/_svc\/faults"; it must be a method and a path/],
  [{ constructor: 'x', status: 500 }, /^`constructor` is not a field of a fault rule\. The fields are route, /],
  [{ poze: 'sitting', status: 500 }, /^`poze` is not a field of a fault rule. Did you mean pose\?$/],
  [{ status: 500, code: 'timed_out' }, /^`status` acts on calls, but `code` on poses and scenes: make two rules\.$/],
  [{ status: 500, drop: 'after' }, /^`status` and `drop` are two effects: make two rules\.$/],
  [{ delay: '1h' }, /^`delay` is "1h"; it must be from 100ms to 10m/],
  [{ share: '0%', status: 500 }, /^`share` is "0%"; it must be from 1% to 100%/],
  [{ route: 'GET /v1/models', code: 'timed_out' }, /^`route` is "GET \/v1\/models", which makes no poses or scenes/],
  [{ status: 504 }, /^`status` is "504"; it must be 401, 403, 404, 409, 413, 422, 429, 500, 502 or 503\.$/],
  [{ share: '10', status: 500 }, /^`share` is "10"; .* Did you mean "10%"\?$/],
  [{ share: 0.1, status: 500 }, /^`share` is "0\.1"; .* Did you mean "10%"\?$/],
  [{ delay: '8' }, /^`delay` is "8"; .* Did you mean "8s"\?$/],
  [{ stall: '1.5 sec' }, /^`stall` is "1\.5 sec"; .* Did you mean "1500ms"\?$/],
  [{ pose: 'all', code: 'timed_out' }, /^`pose` is "all"; .* Leave `pose` out for all poses\.$/],
  [{ route: '/v1/pet-avatar/tasks/avatar_1', status: 500 }, /Did you mean "GET \S+\}", and `task` avatar_1\?$/],
  [{ route: '/objects/ai-gateway/a/b.png', status: 500 }, /Did you mean "GET \/objects\/\{key\}"\?$/],
  [{ key: 'ci', status: 500 }, /^`key` is not a field of a fault rule\. Did you mean caller\?$/],
  [{ pet_id: 'tom', status: 500 }, /^`pet_id` is not a field of a fault rule\. Did you mean pet\?$/],
  [{ error_code: 'timed_out' }, /Did you mean code\?$/],
  [{ path: '/v1/models', status: 500 }, /Did you mean route\?$/],
  [{ caller: 'nobody', status: 500 }, /^There is no API key "nobody" for caller; svc key list shows all\.$/],
  [{ caller: 'locla', status: 500 }, /Did you mean "local"\?$/],
  [{ route: '/objects/*', pet: 'tom', status: 500 }, / never fire: no call of \/objects\/\* has `pet`\.$/],
  [{ scene: 'beach_run', pose: 'sitting', code: 'timed_out' }, /fire: no pose or scene has `scene` and `pose`\.$/],
  [
    { route: 'POST /v1/pet-animation/generate', alias: 'svc-avatar', code: 'timed_out' },
    /never fire: no pose or scene of .* has `alias` \(svc-avatar\)\.$/,
  ],
  [{ rule: 'status=500', times: 1 }, /^`rule` is the whole rule: send no other fields with it\.$/],
  [{ rule: 'status=500,status=503' }, /^`status` is given twice/],
] as const) {
  faults(`refuses ${JSON.stringify(rule)}`, async () => {
    const { status, body } = await app.send('POST', '/_svc/faults', rule)
    assert.equal([status, body.error.code], [422, 'invalid_request'])
    assert.match(body.error.message, message)
    assert.equal(await list(), [])
  })
}

faults('removes one rule, and says which does not exist', async () => {
  const id = await add({ route: 'GET /v1/models', status: 500 })
  assert.is((await app.send('DELETE', `/_svc/faults/${id}`)).status, 204)
  assert.is((await models()).status, 200)
  assert.is((await app.send('DELETE', `/_svc/faults/${id}`)).status, 404)
})

faults('refuses rules in production, where a magic pet is like any other', async () => {
  const production = await startMediaApp({ SVC_ENV: 'production' })
  for (const method of ['GET', 'DELETE']) assert.is((await production.send(method, '/_svc/faults')).status, 403)
  assert.is((await production.send('POST', '/_svc/faults', { status: 503 })).status, 403)
  const fields = { ...card, user_id: 'u1', pet_id: 'svc-500' }
  assert.is((await production.send('POST', '/v1/home-insights/generate', fields)).status, 200)
  await production.close()
})

faults.run()
