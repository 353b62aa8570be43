// run: fleet
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, startMediaApp } from '../helpers/media.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { openai } from '../helpers/upstreams/openai.js'
import { startUpstream, type Upstream } from '../helpers/upstreams/upstream.js'

const shared = suite('pictures of the shared library, by a real model')
const path = '/v1/pet-diary-image-libraries/select'
let place: ReturnType<typeof openTemporaryFolder>
let pictures: Upstream
const apps: MediaApp[] = []

shared.before.each(async () => {
  place = openTemporaryFolder()
  pictures = await startUpstream(openai)
})
shared.after.each(async () => {
  for (const app of apps.splice(0)) await app.close()
  await pictures.close()
  place.close()
})

const write = (avatar: unknown) =>
  writeFileSync(
    join(place.folder, 'svc.config.json'),
    JSON.stringify({ models: { 'svc-avatar': avatar, 'svc-animation': 'stub' } }),
  )
const writeModel = () =>
  write({ model: 'openai:gpt-image-2.6-sunburst', baseUrl: pictures.baseUrl, price: '0.04usd/image' })

async function start(): Promise<MediaApp> {
  const app = await startMediaApp({ OPENAI_API_KEY: pictures.key }, place.folder)
  apps.push(app)
  return app
}

const dinner = { species: 'dog', location: 'home', activity: 'eat' }
const rain = { species: 'dog', location: 'home', weather: 'rain', activity: 'watch' }
const select = (app: MediaApp, facts: object, headers?: Record<string, string>) =>
  app.send('POST', path, { user_id: 'u1', pet_id: 'p1', date: '2026-10-20', facts }, headers)
const listShared = async ({ send }: MediaApp): Promise<Json> =>
  (await send('GET', '/v1/pet-diary-images?user_id=shared')).body

shared('are bought once by all processes on a data directory', async () => {
  writeModel()
  const [one, two] = [await start(), await start()]
  const held = pictures.hold('buy')
  const answers = Promise.all([one, two, one, two].map((app) => select(app, dinner)))
  const { release } = await held
  // A third call finds it in progress.
  const late = select(two, dinner)
  release()
  const all = [...(await answers), await late]
  assert.equal([...new Set(all.map(({ status }) => status))], [200])
  assert.is(new Set(all.map(({ body }) => body.image_id)).size, 1)
  assert.is((await listShared(one)).total, 1)
  assert.is(pictures.count('buy'), 1)
})

shared('that a shutdown interrupted continue after the next start', async () => {
  writeModel()
  const before = await start()
  const held = pictures.hold('buy')
  const cut = select(before, dinner)
  const { release } = await held
  await before.close()
  release()
  await cut
  apps.length = 0
  const after = await start()
  const { status, body } = await select(after, dinner)
  assert.is(status, 200, JSON.stringify(body))
  const { total, items } = await listShared(after)
  assert.equal([total, items[0].image_id], [1, body.image_id])
})

shared('can be bought again after a failure', async () => {
  writeModel()
  const app = await start()
  pictures.plan('buy', pictures.error(400, 'moderation_blocked', 'Your request was rejected by the safety system.'))
  assert.is((await select(app, dinner)).status, 502)
  assert.is((await select(app, dinner)).status, 200)
  assert.is((await listShared(app)).total, 2)
})

shared('are not bought for a key that lacks the model or pictures: it gets an existing one', async () => {
  writeModel()
  const app = await start()
  const keys: { authorization: string }[] = []
  for (const settings of [
    { models: ['svc-general'], capabilities: [] },
    { models: ['svc-avatar'], capabilities: ['video'] },
    { models: ['svc-general'], capabilities: ['image'] },
  ] as const) {
    const { text } = await app.createKey({ endpoints: ['pet-diary'], ...settings })
    keys.push({ authorization: `Bearer ${text}` })
  }
  for (const limited of keys) {
    const none = await select(app, dinner, limited)
    assert.equal([none.status, none.body.error.code], [404, 'not_found'])
    assert.match(none.body.error.message, 'this API key may not have one painted')
  }
  const bought = (await select(app, dinner)).body
  for (const limited of keys) {
    for (const facts of [dinner, rain]) {
      const { status, body } = await select(app, facts, limited)
      assert.equal([status, body.image_id], [200, bought.image_id])
    }
  }
  assert.is(pictures.count('buy'), 1)
  assert.is.not((await select(app, rain)).body.image_id, bought.image_id)
})

shared('are drawn for any key if the configuration uses the stub for pictures', async () => {
  write('stub')
  const app = await start()
  const { text } = await app.createKey({ endpoints: ['pet-diary'], models: ['svc-general'], capabilities: [] })
  assert.is((await select(app, rain, { authorization: `Bearer ${text}` })).status, 200)
})

shared.run()
