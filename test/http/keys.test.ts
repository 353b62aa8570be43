// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../src/contract/index.js'
import { listPaths, type Route } from '../../src/contract/route.js'
import { readError, startApp, type TestApp } from '../helpers/app.js'
import { makeForm } from '../helpers/media.js'
import { buildPayload } from '../helpers/payloads.js'

const keys = suite('keys over HTTP')
let app: TestApp
keys.before(async () => {
  app = await startApp()
})
keys.after(() => app.close())
const models = (authorization: string) => app.get('/v1/models', { authorization })

keys('accepts the scheme in any case and more than one space', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
    assert.is((await models(`${scheme} ${app.key}`)).status, 200)
  }
})

keys('rejects anything that is not one of our keys', async () => {
  const altered = `${app.key.slice(0, -1)}${app.key.endsWith('A') ? 'B' : 'A'}`
  const foreign = app.key.replace(/svc_.{26}/, 'svc_01ARZ3NDEKTSV4RRFFQ69G5FAV')
  const texts = [altered, foreign, `${app.key}a`, app.key.toLowerCase(), "' or 1=1 --", 'svc_', 'a'.repeat(5000)]
  const headers = [
    ...['', 'Bearer', 'Bearer ', app.key, `Basic ${app.key}`, `Bearer ${app.key} x`, `Bearer ${app.key}, Bearer x`],
    ...texts.map((text) => `Bearer ${text}`),
  ]
  for (const header of headers) {
    const response = await models(header)
    assert.is(response.headers.get('www-authenticate'), 'Bearer', header)
    const { status, code } = await readError(response)
    assert.is(status, 401, header)
    assert.is(code, 'unauthorized')
  }
  assert.is((await app.get('/v1/models')).status, 401)
})

keys('requires a key on every path of every protected route', async () => {
  for (const route of Object.values<Route>(routes)) {
    for (const path of listPaths(route)) {
      const url = `http://svc.test${path.replaceAll(/\{\w+\}/g, 'x')}`
      const { status } = await app.app.fetch(new Request(url, { method: route.method }))
      assert.is(status === 401, route.access !== 'public', `${route.method} ${path}`)
    }
  }
})

type Needs = 'public' | 'admin' | readonly [group: string, models?: readonly string[], capabilities?: readonly string[]]
const avatar: Needs = ['pet-avatar', ['svc-avatar'], ['image']]
const animation: Needs = ['pet-animation', ['svc-animation'], ['video']]
const diary: Needs = ['pet-diary', ['svc-avatar'], ['image']]
const insights: Needs = ['ai-insights']
/** The permissions that a key needs for each route. */
const needs: Readonly<Record<keyof typeof routes, Needs>> = {
  ...{ getHealth: 'public', getLive: 'public', getReady: 'public', getOpenApi: 'public', listModels: ['models'] },
  getPayloadSchema: 'public',
  generateAvatar: ['pet-avatar', ['svc-avatar', 'svc-animation'], ['image', 'video']],
  ...{ getAvatarTask: avatar, listIdentityAssets: avatar, getIdentityAsset: avatar, saveAvatarFeedback: avatar },
  ...{ generateAnimation: animation, getAnimationTask: animation, deleteAnimationTask: animation },
  ...{ generateDiaryImages: diary, getDiaryTask: diary, listDiaryImages: diary, getDiaryImage: diary },
  ...{ selectDiaryImage: ['pet-diary'], listDiaryScenes: ['app-metadata'] },
  ...{ generateHomeInsights: ['home-insights'], listInsights: insights, getInsight: insights },
  ...{ generateAiInsights: insights, generateHealthDetailInsight: ['health-detail-insights'] },
  ...{ getUsage: 'admin', listRequests: 'admin', getRequest: 'admin', getClock: 'admin', moveClock: 'admin' },
  ...{ listFaults: 'admin', addFault: 'admin', clearFaults: 'admin', removeFault: 'admin' },
}

keys('answers 403 to a key that lacks any permission of a route, and not to one with exactly these', async () => {
  const made = new Map<string, Promise<{ text: string }>>()
  const call = async ({ method, path }: Route, settings: object) => {
    const name = JSON.stringify(settings)
    if (!made.has(name)) made.set(name, app.createKey({ rateLimit: 0, ...settings }))
    const headers = { authorization: `Bearer ${(await made.get(name))?.text}` }
    const url = `http://svc.test${path.replaceAll(/\{\w+\}/g, 'x')}`
    return (await app.app.fetch(new Request(url, { method, headers }))).status
  }
  for (const [name, route] of Object.entries<Route>(routes)) {
    const needed = needs[name as keyof typeof routes]
    if (needed === 'public') continue
    const [group, models = [], capabilities = []] = needed === 'admin' ? ['models'] : needed
    const exact = { endpoints: needed === 'admin' ? [] : [group], models, capabilities, admin: needed === 'admin' }
    assert.not([401, 403].includes(await call(route, exact)), `${name} with ${JSON.stringify(exact)}`)
    const lacking = [
      { endpoints: ['models', 'pet-diary', 'pet-avatar'].filter((one) => one !== group) },
      ...models.map((model) => ({
        models: ['svc-general', 'svc-avatar', 'svc-animation'].filter((one) => one !== model),
      })),
      ...capabilities.map((capability) => ({ capabilities: ['image', 'video'].filter((one) => one !== capability) })),
    ]
    for (const settings of needed === 'admin' ? [{}] : lacking) {
      assert.is(await call(route, settings), 403, `${name} with ${JSON.stringify(settings)}`)
    }
  }
})

keys('rejects a revoked key within a second, and an expired one at once', async () => {
  const revoked = await app.createKey()
  const expiring = await app.createKey({ expiresAt: new Date(app.clock.now + 10_000) })
  assert.is((await models(`Bearer ${revoked.text}`)).status, 200)
  assert.is((await models(`Bearer ${expiring.text}`)).status, 200)
  const { store, close } = await app.openOther()
  await store.revokeKey(revoked.id, new Date(app.clock.now))
  await close()
  app.clock.now += 999
  assert.is((await models(`Bearer ${revoked.text}`)).status, 401)
  app.clock.now += 9000
  assert.is((await models(`Bearer ${expiring.text}`)).status, 200)
  app.clock.now += 1
  assert.is((await models(`Bearer ${expiring.text}`)).status, 401)
})

keys('limits a key to calls that name its pets and their tasks, and nothing of other pets', async () => {
  const { text } = await app.createKey({ pets: ['rex', 'guest-1'] })
  const authorization = `Bearer ${text}`
  const full = `Bearer ${app.key}`
  const send = async (method: string, path: string, body?: object, key = authorization) => {
    const init = { method, headers: { authorization: key, 'content-type': 'application/json' } }
    const form = { method, headers: { authorization: key }, body: body as FormData }
    const json = { ...init, ...(body && { body: JSON.stringify(body) }) }
    return app.app.fetch(new Request(`http://svc.test${path}`, body instanceof FormData ? form : json))
  }
  const photo = (pet?: string) => makeForm({ pet_id: pet, user_id: undefined, pose: 'lying' })
  const draw = async (pet: string, key?: string) => {
    const response = await send('POST', '/v1/pet-avatar/generate', await photo(pet), key)
    assert.is(response.status, 200)
    return ((await response.json()) as { task_id: string }).task_id
  }
  const [own, other] = [await draw('rex'), await draw('tom', full)]
  await app.app.idle()
  const [ownAsset, otherAsset] = [own, other].map((id) => id.replace('avatar_', 'pia_'))
  const rain = { identity_asset_id: otherAsset, scene_ids: ['rain_walk'] }
  const painted = await send('POST', '/v1/pet-diary-images/generate', rain, full)
  const { task_id: diary } = (await painted.json()) as { task_id: string }
  await app.app.idle()
  const day = { date: '2026-11-26', facts: { species: 'dog', weather: 'rain' } }
  const scene = { scene_ids: ['rain_walk'] }
  const [objectKey, photoUrl] = ['ai-gateway/photos/x.jpg', 'https://example.com/a.jpg']
  const payload = (petId: string) => ({ ...buildPayload({ metric: 'hr', viewWindow: 'day' }), petId })
  const calls: readonly (readonly [status: number, method: string, path: string, body?: object])[] = [
    [200, 'GET', '/v1/models'],
    [200, 'GET', '/v1/app-metadata/diary-image-library-scenes'],
    [200, 'GET', `/v1/pet-avatar/tasks/${own}`],
    [200, 'GET', `/v1/pet-avatars/${ownAsset}`],
    [200, 'POST', '/v1/pet-animation/generate', { avatar_task_id: own, pose: 'lying' }],
    [200, 'POST', '/v1/pet-diary-images/generate', { identity_asset_id: ownAsset, ...scene }],
    [200, 'POST', '/v1/pet-diary-image-libraries/select', { pet_id: 'rex', ...day }],
    [200, 'POST', '/v1/home-insights/generate', { pet_id: 'guest-1', facts: {} }],
    [200, 'GET', '/v1/ai-insights?pet_id=rex'],
    [200, 'POST', '/v1/health-detail-insights/generate', payload('rex')],
    [404, 'GET', '/v1/pet-avatar/tasks/avatar_none'],
    [403, 'POST', '/v1/pet-avatar/generate', await photo('tom')],
    [403, 'POST', '/v1/pet-avatar/generate', await photo()],
    [403, 'POST', '/v1/pet-avatar/generate', { source_image_url: photoUrl, species: 'dog', pet_id: 'rex' }],
    [403, 'GET', `/v1/pet-avatar/tasks/${other}`],
    [403, 'GET', `/v1/pet-avatars/${otherAsset}`],
    [403, 'GET', '/v1/pet-avatars?user_id=demo'],
    [403, 'POST', '/v1/pet-avatars/feedback', { feedbacks: [{ cos_key: objectKey, liked: true, selected: false }] }],
    [403, 'POST', '/v1/pet-animation/generate', { avatar_task_id: other, pose: 'lying' }],
    [403, 'POST', '/v1/pet-diary-images/generate', { identity_asset_id: otherAsset, pet_id: 'rex', ...scene }],
    [403, 'POST', '/v1/pet-diary-images/generate', { cos_key: objectKey, species: 'dog', pet_id: 'rex', ...scene }],
    [403, 'GET', `/v1/pet-diary-images/tasks/${diary}?pet_id=rex`],
    [403, 'GET', `/v1/pet-diary-images/${diary.replace('diary_', 'img_')}`],
    [403, 'GET', '/v1/pet-diary-images?user_id=demo'],
    [403, 'POST', '/v1/pet-diary-image-libraries/select', { pet_id: 'tom', ...day }],
    [403, 'POST', '/v1/pet-diary-image-libraries/select', { task_id: 'none', ...day }],
    [403, 'POST', '/v1/home-insights/generate', { petId: 'rex' }],
    [403, 'POST', '/v1/home-insights/generate', { dailyDiarySnapshot: { petProfile: { petId: 'tom' } } }],
    [403, 'GET', '/v1/ai-insights'],
    [403, 'GET', '/v1/ai-insights/ins_x'],
    [403, 'POST', '/v1/health-detail-insights/generate', payload('tom')],
    [403, 'POST', '/v1/health-detail-insights/generate', { ...payload('tom'), pet_id: 'rex' }],
    [200, 'POST', '/v1/health-detail-insights/generate', { ...payload('rex'), task_id: 'a\0' }],
    [403, 'DELETE', `/v1/pet-animation/tasks/${own}`],
    [403, 'GET', '/_svc/usage?by=pet'],
    [403, 'GET', '/_svc/requests'],
    [403, 'POST', '/_svc/faults', { rule: 'pet=rex,status=503' }],
  ]
  for (const [status, method, path, body] of calls) {
    const response = await send(method, path, body)
    assert.is(response.status, status, `${method} ${path} ${JSON.stringify(body)}: ${await response.clone().text()}`)
    if (status === 403) assert.not.match(await response.text(), 'tom')
  }
})

keys('checks key, rate, permission and body in this order', async () => {
  const { text } = await app.createKey({ endpoints: ['models'], rateLimit: 1 })
  const post = (authorization: string) => app.generate('no json', { authorization })
  assert.is((await post('Bearer nobody')).status, 401)
  assert.is((await post(`Bearer ${text}`)).status, 403)
  assert.is((await post(`Bearer ${text}`)).status, 429)
  assert.is((await app.generate('no json')).status, 422)
})

keys('accepts exactly the limit in any 60 seconds, and says when to retry', async () => {
  const { text } = await app.createKey({ rateLimit: 3 })
  const call = () => models(`Bearer ${text}`)
  const remaining: (string | null)[] = []
  for (let count = 0; count < 3; count++) {
    const response = await call()
    assert.is(response.status, 200)
    assert.is(response.headers.get('x-ratelimit-limit'), '3')
    remaining.push(response.headers.get('x-ratelimit-remaining'))
    app.clock.now += 10_000
  }
  assert.equal(remaining, ['2', '1', '0'])
  const refused = await call()
  assert.is(refused.headers.get('retry-after'), '30')
  assert.is(refused.headers.get('x-ratelimit-remaining'), '0')
  const { status, code } = await readError(refused)
  assert.is(status, 429)
  assert.is(code, 'rate_limit_exceeded')

  // The window slides: each call leaves it after 60 seconds, not all at once.
  app.clock.now += 30_000
  assert.is((await call()).status, 200)
  assert.is((await call()).status, 429)
  app.clock.now += 10_000
  assert.is((await call()).status, 200)
  assert.is((await call()).status, 429)
})

keys('counts concurrent calls exactly', async () => {
  const { text } = await app.createKey({ rateLimit: 20 })
  const responses = await Promise.all(Array.from({ length: 60 }, () => models(`Bearer ${text}`)))
  assert.is(responses.filter(({ status }) => status === 200).length, 20)
  assert.is(responses.filter(({ status }) => status === 429).length, 40)
})

keys('counts calls that fail later, but not those without a key, and nothing for a limit of 0', async () => {
  const { text } = await app.createKey({ rateLimit: 2 })
  await app.generate('no json', { authorization: `Bearer ${text}` })
  await app.get('/health', { authorization: `Bearer ${text}` })
  assert.is((await models(`Bearer ${text}`)).status, 200)
  assert.is((await models(`Bearer ${text}`)).status, 429)
  const unlimited = await app.createKey({ rateLimit: 0 })
  for (let count = 0; count < 601; count++) assert.is((await models(`Bearer ${unlimited.text}`)).status, 200)
  assert.is((await models(`Bearer ${unlimited.text}`)).headers.get('x-ratelimit-limit'), null)
})

keys.run()
