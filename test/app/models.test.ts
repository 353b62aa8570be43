import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createApp } from '../../src/app.js'
import { loadConfig } from '../../src/config.js'
import { makeFolder, readLog } from '../helpers/app.js'
import { type Json, type MediaApp, makeForm, startMediaApp } from '../helpers/media.js'
import { bytedance } from '../helpers/upstreams/bytedance.js'
import { openai } from '../helpers/upstreams/openai.js'
import { startUpstream, type Upstream } from '../helpers/upstreams/upstream.js'

const models = suite('configured models')
let folder: ReturnType<typeof makeFolder>
let pictures: Upstream
let app: MediaApp | undefined

models.before.each(async () => {
  folder = makeFolder()
  pictures = await startUpstream(openai)
})
models.after.each(async () => {
  await app?.close()
  app = undefined
  await pictures.close()
  folder.remove()
})

const avatarAt = ({ baseUrl }: Upstream, model = 'gpt-image-1.5') => ({
  ...{ model: `openai:${model}`, baseUrl, price: '0.04usd/image' },
})
const write = (avatar: unknown, rest: object = {}, animation: unknown = 'stub') =>
  writeFileSync(
    join(folder.path, 'svc.config.json'),
    JSON.stringify({ models: { 'svc-avatar': avatar, 'svc-animation': animation }, ...rest }),
  )

async function start(variables: Record<string, string> = {}): Promise<MediaApp> {
  app = await startMediaApp({ OPENAI_API_KEY: pictures.key, ARK_API_KEY: pictures.key, ...variables }, folder.path)
  return app
}

const failureOf = (task: Json, pose = 'sitting') => [task.images[pose].error_code, task.images[pose].error_message]

models('make avatars with a real model and animations with the stub', async () => {
  write(avatarAt(pictures))
  const { makeAvatar, makeAnimation, send } = await start()
  const avatar = await makeAvatar({ pose: 'sitting', pet_id: 'p1' })
  assert.equal([avatar.status, avatar.provider, avatar.model], ['success', 'openai:gpt-image-1.5', 'gpt-image-1.5'])
  const animation = await makeAnimation(avatar.task_id)
  assert.equal([animation.status, animation.provider], ['success', 'stub'])
  assert.is(pictures.count('buy'), 1)
  const { entries } = (await send('GET', '/_svc/usage')).body
  assert.equal(
    entries.map(({ pet_id, units, cost, maybe_cost }: Json) => [pet_id, units, cost, maybe_cost]),
    [['p1', 2, 0.04, 0]],
  )
})

models('paint diary pictures with the model of avatars', async () => {
  write(avatarAt(pictures))
  const { makeAvatar, makeDiary } = await start()
  const { identity_asset_id } = await makeAvatar({ pose: 'sitting' })
  const task = await makeDiary({ identity_asset_id, scene_ids: ['rain_walk'] })
  assert.is(task.status, 'success')
  assert.is(pictures.count('buy'), 2)
})

models('make clips with a real model, priced by the second', async () => {
  const clips = await startUpstream(bytedance)
  const animation = { model: 'bytedance:seedance-1-5-pro-251215', baseUrl: clips.baseUrl, price: '0.05usd/second' }
  write('stub', { budgets: { perPet: '0.60usd/day' } }, animation)
  const { makeAvatar, send, idle } = await start()
  const avatar = await makeAvatar({ pet_id: 'p1' })
  const animate = (pose: string) => send('POST', '/v1/pet-animation/generate', { avatar_task_id: avatar.task_id, pose })
  // A clip has five seconds, so four are a dollar.
  assert.match((await animate('all')).body.error.message, 'this request would cost $1.00')
  const { body } = await animate('sitting')
  await idle()
  const task = (await send('GET', `/v1/pet-animation/tasks/${body.task_id}`)).body
  assert.ok(task.images.sitting.mp4_cos_key)
  const { entries } = (await send('GET', '/_svc/usage?by=model')).body
  assert.is(entries[0].cost, 0.25)
  await clips.close()
})

models('answer 429 with Retry-After before money is spent', async () => {
  write(avatarAt(pictures), { budgets: { perPet: '0.20usd/day' } })
  const { createKey, send, idle } = await start()
  const budget = { micros: 80_000, per: 'day' } as const
  const key = await createKey({ budget })
  const create = async (petId: string, headers = {}, poses = ['lying', 'sitting']) =>
    send('POST', '/v1/pet-avatar/generate', await form(petId, poses), headers)
  const limited = { authorization: `Bearer ${key.text}`, 'idempotency-key': 'again' }
  assert.is((await create('p1', { authorization: limited.authorization })).status, 200)
  const refused = await create('p2', limited)
  assert.equal([refused.status, refused.body.error.code], [429, 'rate_limit_exceeded'])
  assert.match(refused.body.error.message, /^The budget of this API key is \$0\.08 a day/)
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  await idle()
  assert.is(pictures.count('buy'), 2)
  // Refused requests keep no Idempotency-Key, and other keys are not touched.
  assert.is((await create('p2', limited)).status, 429)
  assert.is((await create('p1')).status, 200)
  assert.is((await create('p1')).status, 429)
  await idle()
  assert.is(pictures.count('buy'), 4)
})

models('take no task on a budget while nobody knows the price', async () => {
  const { price: _, ...unpriced } = avatarAt(pictures)
  write(unpriced)
  const { createKey, send } = await start()
  const key = await createKey({ budget: { micros: 80_000, per: 'day' } })
  const headers = { authorization: `Bearer ${key.text}` }
  assert.is((await send('POST', '/v1/pet-avatar/generate', await form('p1', ['sitting']), headers)).status, 503)
  assert.is((await send('POST', '/v1/pet-avatar/generate', await form('p1', ['sitting']))).status, 200)
})

models('tell people what went wrong, and the log why', async () => {
  write(avatarAt(pictures))
  const { makeAvatar } = await start()
  pictures.plan('buy', pictures.error(400, 'moderation_blocked', 'Your request was rejected by the safety system.'))
  assert.equal(failureOf(await makeAvatar({ pose: 'sitting', locale: 'zh-CN' })), [
    'content_refused',
    '模型服务因内容政策拒绝了该内容。请换一张照片，或不填写宠物的名字和品种。',
  ])
  pictures.plan('buy', pictures.error(401, 'invalid_api_key', `Incorrect API key provided: ${pictures.key}.`))
  const [code, message] = failureOf(await makeAvatar({ pose: 'sitting' }))
  assert.is(code, 'provider_unauthorized')
  assert.match(message, /does not accept the key of this gateway/)
  await app?.close()
  app = undefined
  const lines = readLog(join(folder.path, 'logs')).map((line) => JSON.stringify(line))
  assert.ok(lines.some((line) => line.includes('moderation_blocked') && line.includes('safety system')))
  assert.not.ok(lines.some((line) => line.includes(pictures.key)))
})

models('answer 502 while the model service refuses our key, and create nothing', async () => {
  write(avatarAt(pictures))
  const { makeAvatar, send } = await start({ OPENAI_API_KEY: 'revoked-key-000000' })
  assert.is((await makeAvatar()).status, 'failed')
  const { status, body } = await send('POST', '/v1/pet-avatar/generate', await form('p2', ['sitting']))
  assert.equal([status, body.error.code], [502, 'provider_error'])
  assert.is(pictures.count('buy'), 4)
})

models('let units wait where the model service does not work', async () => {
  write({ ...avatarAt(pictures), slots: 1 })
  const { createAvatar, send } = await start()
  pictures.plan('buy', ...Array.from({ length: 40 }, () => 'reset' as const))
  const ids = await Promise.all([1, 2, 3].map(() => createAvatar()))
  await until(() =>
    readLog(join(folder.path, 'logs')).some((line) => 'event' in line && line.event === 'breaker_opened'),
  )
  const calls = pictures.count('buy')
  const tasks = await Promise.all(ids.map(async (id) => (await send('GET', `/v1/pet-avatar/tasks/${id}`)).body))
  const waiting = tasks
    .flatMap(({ images }) => Object.values<Json>(images))
    .filter(({ status }) => status === 'pending')
  assert.ok(waiting.length >= 6, `${waiting.length} wait`)
  assert.ok(calls <= 6, `${calls} calls`)
})

models('end what waits for a model that is not configured any more, once a server runs', async () => {
  write(avatarAt(pictures, 'gpt-image-1'))
  const held = pictures.hold('buy')
  const before = await start()
  const id = await before.createAvatar({ poses: ['sitting', 'lying'] })
  await held
  await before.app.close()
  write(avatarAt(pictures, 'gpt-image-1.5'))
  const config = loadConfig({ dataDir: folder.path, port: '0' }, { OPENAI_API_KEY: pictures.key })
  const server = await createApp(config, { needsModels: true })
  await server.listen()
  await server.idle()
  const read = async (path: string): Promise<Json> => {
    const headers = { authorization: `Bearer ${before.key}` }
    return (await server.fetch(new Request(`http://svc.test${path}`, { headers }))).json()
  }
  const task = await read(`/v1/pet-avatar/tasks/${id}`)
  const { entries } = await read('/_svc/usage')
  await server.close()
  app = undefined
  assert.is(task.status, 'failed')
  for (const pose of ['sitting', 'lying']) assert.is(failureOf(task, pose)[0], 'model_removed')
  // Both were sent before, and nobody knows what became of them.
  assert.equal([entries[0].cost, entries[0].maybe_cost], [0.08, 0.08])
})

models('are needed for tasks alone, where no server runs', async () => {
  write(avatarAt(pictures))
  const { send } = await start({ OPENAI_API_KEY: '' })
  assert.is((await send('GET', '/_svc/usage')).status, 200)
  const { status, body } = await send('POST', '/v1/pet-avatar/generate', await form('p1', ['sitting']))
  assert.is(status, 503)
  assert.match(body.error.message, /OPENAI_API_KEY \(for svc-avatar\) is not set/)
})

models('must be usable when a server starts', async () => {
  write(avatarAt(pictures))
  const config = loadConfig({ dataDir: folder.path, port: '0' }, {})
  const error = await createApp(config, { needsModels: true }).catch((reason) => reason)
  assert.match(error.message, /OPENAI_API_KEY \(for svc-avatar\) is not set/)
})

const form = (petId: string, poses: readonly string[]) => makeForm({ pet_id: petId, poses })

async function until(isTrue: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 20_000
  while (!isTrue()) {
    if (Date.now() > giveUpAt) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

models.run()
