// run: waits, fleet
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createApp } from '../../src/app.js'
import { createRenderer } from '../../src/commands/logs/render.js'
import { loadConfig } from '../../src/config.js'
import { queryDatabase, readLog } from '../helpers/app.js'
import { findFleetFolder } from '../helpers/fleet-folder.js'
import { type Json, type MediaApp, makeForm, startMediaApp } from '../helpers/media.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { bytedance } from '../helpers/upstreams/bytedance.js'
import { openai } from '../helpers/upstreams/openai.js'
import { startUpstream, type Upstream } from '../helpers/upstreams/upstream.js'

const models = suite('configured models')
let place: ReturnType<typeof openTemporaryFolder>
let pictures: Upstream
let app: MediaApp | undefined

models.before.each(async () => {
  place = openTemporaryFolder()
  pictures = await startUpstream(openai)
})
models.after.each(async () => {
  await app?.close()
  app = undefined
  await pictures.close()
  place.close()
})

/** The environment that names the database and the bucket, if there are any. */
const storage = () => findFleetFolder(place.folder)?.variables ?? {}

const readLines = () => readLog(loadConfig({ dataDir: place.folder }, storage()))

const avatarAt = ({ baseUrl }: Upstream, model = 'gpt-image-2.6-sunburst') => ({
  ...{ model: `openai:${model}`, baseUrl, price: '0.04usd/image' },
})
const write = (avatar: unknown, rest: object = {}, animation: unknown = 'stub') =>
  writeFileSync(
    join(place.folder, 'svc.config.json'),
    JSON.stringify({ models: { 'svc-avatar': avatar, 'svc-animation': animation }, ...rest }),
  )

async function start(variables: Record<string, string> = {}): Promise<MediaApp> {
  app = await startMediaApp(
    { SVC_LOG: 'folder', OPENAI_API_KEY: pictures.key, ARK_API_KEY: pictures.key, ...variables },
    place.folder,
  )
  return app
}

const failureOf = (task: Json, pose = 'sitting') => [task.images[pose].error_code, task.images[pose].error_message]

models('make avatars with a real model and animations with the stub', async () => {
  write(avatarAt(pictures))
  const { makeAvatar, makeAnimation, send } = await start()
  const avatar = await makeAvatar({ pose: 'sitting', pet_id: 'p1' })
  assert.equal(
    [avatar.status, avatar.provider, avatar.model],
    ['success', 'openai:gpt-image-2.6-sunburst', 'gpt-image-2.6-sunburst'],
  )
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
  clips.pollsNeeded = 0
  const animation = { model: 'bytedance:dreamina-seedance-2-0-260128', baseUrl: clips.baseUrl, price: '0.05usd/second' }
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
  const lines = (await readLines()).map((line) => JSON.stringify(line))
  assert.ok(lines.some((line) => line.includes('moderation_blocked') && line.includes('safety system')))
  assert.not.ok(lines.some((line) => line.includes(pictures.key)))
})

models('that are gone send callers to the operator, and show the operator what the vendor says', async () => {
  write(avatarAt(pictures, 'gpt-image-1'))
  const { makeAvatar, send } = await start()
  const sentence = `The model gpt-image-1 does not exist, says ${pictures.baseUrl}, with ${pictures.key}.`
  pictures.plan('buy', pictures.error(404, 'model_not_found', sentence))
  const task = await makeAvatar({ pose: 'sitting' })
  assert.equal(failureOf(task), [
    'model_unavailable',
    'The model service does not have the model that this gateway uses. Ask the operator of the gateway to choose another model.',
  ])
  assert.is(pictures.count('buy'), 1)
  const { body } = await send('GET', `/_svc/requests/${task.request_id}`)
  const { code, detail } = body.task.units[0].events.at(-1)
  assert.is(code, 'model_unavailable')
  assert.match(
    detail,
    /^The model service does not have the model: HTTP 404: model_not_found: .*gpt-image-1 does not exist/,
  )
  assert.not.match(detail, new RegExp(`${pictures.key}|127\\.0\\.0\\.1`))
  const lines = createRenderer((_tone, text) => text)([body])
  assert.ok(lines.some((line) => line.trim() === detail))
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
  await until(async () => (await readLines()).some((line) => 'event' in line && line.event === 'breaker_opened'))
  const calls = pictures.count('buy')
  const tasks = await Promise.all(ids.map(async (id) => (await send('GET', `/v1/pet-avatar/tasks/${id}`)).body))
  const waiting = tasks
    .flatMap(({ images }) => Object.values<Json>(images))
    .filter(({ status }) => status === 'pending')
  assert.ok(waiting.length >= 6, `${waiting.length} wait`)
  assert.ok(calls <= 6, `${calls} calls`)
})

models('end what waits for a model that is not configured any more, once a server runs', async () => {
  write({ ...avatarAt(pictures, 'gpt-image-2.6-flare'), poseReference: false })
  const held = Promise.all([pictures.hold('buy'), pictures.hold('buy')])
  const before = await start()
  const id = await before.createAvatar({ poses: ['sitting', 'lying'] })
  await held
  await before.app.close()
  write(avatarAt(pictures, 'gpt-image-2.6-sunburst'))
  const config = loadConfig({ dataDir: place.folder, port: '0' }, { ...storage(), OPENAI_API_KEY: pictures.key })
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

/** A clip that is ordered from a model, by an app that has ended since. */
async function withOrder(act: (clips: Upstream, id: string, key: string) => Promise<void>): Promise<void> {
  const clips = await startUpstream(bytedance)
  clips.pollsNeeded = 0
  write('stub', {}, seedance(clips, 'seedance-1'))
  const { makeAvatar, send, key, app: service } = await start()
  const avatar = await makeAvatar({ pose: 'sitting' })
  const held = clips.hold('poll')
  const { body } = await send('POST', '/v1/pet-animation/generate', { avatar_task_id: avatar.task_id, pose: 'sitting' })
  const { release } = await held
  await service.close()
  app = undefined
  release()
  try {
    await act(clips, body.task_id, key)
  } finally {
    await clips.close()
  }
}

const seedance = ({ baseUrl }: Upstream, model: string) => ({
  ...{ model: `bytedance:${model}`, baseUrl, price: '0.05usd/second' },
})

/** Starts a server on the folder, and once its worker has looked for work, reads the task and what it tells the operator. */
async function visit(
  provider: string,
  path: string,
  key: string,
  { modelKey = pictures.key, waitMs = 2500 }: { readonly modelKey?: string; readonly waitMs?: number } = {},
) {
  const config = loadConfig({ dataDir: place.folder, port: '0', provider }, { ...storage(), ARK_API_KEY: modelKey })
  const server = await createApp(config, { needsModels: true, drainMs: 200 })
  const read = async () => {
    const response = await server.fetch(
      new Request(`http://svc.test${path}`, { headers: { authorization: `Bearer ${key}` } }),
    )
    return (await response.json()) as Json
  }
  try {
    await server.listen()
    const notices = await server.listNotices()
    const giveUpAt = Date.now() + waitMs
    let task = await read()
    while (Date.now() < giveUpAt && ['pending', 'processing'].includes(task.status)) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      task = await read()
    }
    return { task, notices: notices.join('\n') }
  } finally {
    await server.close()
  }
}

async function makeDue(): Promise<void> {
  const config = loadConfig({ dataDir: place.folder }, storage())
  await queryDatabase(config, 'update units set run_at = 0')
}

for (const [what, provider, model] of [
  ['the file is left aside', 'stub', 'seedance-1'],
  ['the file names another model', 'config', 'seedance-2'],
] as const) {
  models(`keep an ordered clip while ${what}, and deliver it once its model is back`, () =>
    withOrder(async (clips, id, key) => {
      const path = `/v1/pet-animation/tasks/${id}`
      write('stub', {}, seedance(clips, model))
      const away = await visit(provider, path, key)
      assert.match(away.task.status, /^(pending|processing)$/)
      assert.match(away.notices, '1 unfinished for bytedance:seedance-1, which is not in use here')
      write('stub', {}, seedance(clips, 'seedance-1'))
      await makeDue()
      const back = await visit('config', path, key, { waitMs: 60_000 })
      assert.ok(back.task.images.sitting.mp4_cos_key)
      assert.not.match(back.notices, 'not in use')
      assert.is(clips.count('buy'), 1)
    }),
  )
}

models('deliver an ordered clip that was asked for with a wrong key, once the key is right', () =>
  withOrder(async (clips, id, key) => {
    const path = `/v1/pet-animation/tasks/${id}`
    const polls = clips.count('poll')
    const wrong = await visit('config', path, key, { modelKey: 'revoked-key-000000' })
    assert.match(wrong.task.status, /^(pending|processing)$/)
    assert.ok(clips.count('poll') > polls)
    await makeDue()
    const right = await visit('config', path, key, { waitMs: 60_000 })
    assert.ok(right.task.images.sitting.mp4_cos_key)
    assert.is(clips.count('buy'), 1)
  }),
)

models('count no picture that cannot be decoded, even with valid first bytes, and never buy it again', async () => {
  write(avatarAt(pictures))
  const { makeAvatar, send } = await start()
  const [cut, blank] = [Buffer.from('ffd8ffe000104a464946', 'hex'), await drawBlank()]
  for (const bytes of [cut, blank]) {
    pictures.plan('buy', { json: { created: 0, data: [{ b64_json: bytes.toString('base64') }] } })
  }
  const tasks = [await makeAvatar({ pose: 'sitting' }), await makeAvatar({ pose: 'sitting' })]
  assert.equal(
    tasks.map((task) => failureOf(task)[0]),
    ['provider_error', 'provider_error'],
  )
  assert.is(pictures.count('buy'), 2)
  const { entries } = (await send('GET', '/_svc/usage')).body
  assert.equal([entries[0].cost, entries[0].maybe_cost], [0.08, 0.08])
  await app?.close()
  app = undefined
  const log = (await readLines()).map((line) => JSON.stringify(line)).join('\n')
  assert.match(log, 'its result is damaged or cut off.')
  assert.match(log, 'its result shows nothing: it is of one color or transparent throughout.')
})

const drawBlank = () =>
  sharp({ create: { width: 512, height: 512, channels: 3, background: '#000' } })
    .png()
    .toBuffer()

models('of another file are left to the other program on the folder', async () => {
  write({ ...avatarAt(pictures, 'gpt-image-2.6-flare'), slots: 1 })
  const held = pictures.hold('buy')
  const { createAvatar, key, app: service } = await start()
  const id = await createAvatar({ poses: ['sitting', 'lying'] })
  const { release } = await held
  write('stub')
  const { task } = await visit('config', `/v1/pet-avatar/tasks/${id}`, key)
  assert.equal([task.images.sitting.status, task.images.lying.status], ['processing', 'pending'])
  release()
  await service.idle()
  assert.is(pictures.count('buy'), 2)
})

models('log the cost that a stop may cause if its time is too short', async () => {
  write(avatarAt(pictures))
  for (const [seconds, expected] of [
    ['10', /^a stop waits 10 s for models, which may take 180 s/],
    ['200', /^$/],
  ] as const) {
    const { app: service, close } = await start({ SVC_DRAIN_SECONDS: seconds })
    assert.match((await service.listNotices()).join(), expected)
    await close()
  }
  app = undefined
})

models('tell that the vendor has switched them off', async () => {
  write(avatarAt(pictures, 'gpt-image-1'))
  const { app: service, close } = await start({ SVC_DRAIN_SECONDS: '200' })
  assert.equal(await service.listNotices(), [
    'svc-avatar: gpt-image-1 was switched off on 2026-10-23: take openai:gpt-image-2.6-sunburst.',
  ])
  await close()
  app = undefined
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
  const config = loadConfig({ dataDir: place.folder, port: '0' }, storage())
  const error = await createApp(config, { needsModels: true }).catch((reason) => reason)
  assert.match(error.message, /OPENAI_API_KEY \(for svc-avatar\) is not set/)
})

const form = (petId: string, poses: readonly string[]) => makeForm({ pet_id: petId, poses })

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 100_000
  while (!(await isTrue())) {
    if (Date.now() > giveUpAt) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

models.run()
