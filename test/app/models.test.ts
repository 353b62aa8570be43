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
import { refusalOf } from '../helpers/refusal.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { bytedance } from '../helpers/upstreams/bytedance.js'
import { openai } from '../helpers/upstreams/openai.js'
import { startUpstream, type Upstream } from '../helpers/upstreams/upstream.js'

/** An app for each test. */
const models = suite('configured models')
/** One app for all tests: avatars by a real model, animations by the stub. */
const model = suite('a configured model')
let place: ReturnType<typeof openTemporaryFolder>
let pictures: Upstream
let app: MediaApp | undefined

async function open(): Promise<void> {
  place = openTemporaryFolder()
  pictures = await startUpstream(openai)
}
async function close(): Promise<void> {
  await app?.close()
  app = undefined
  await pictures.close()
  place.close()
}
let shared: MediaApp
model.before(async () => {
  await open()
  write(avatarAt(pictures))
  shared = await start({ SVC_STUB_FAIL: 'sitting' })
})
model.after(close)
models.before.each(open)
models.after.each(close)

/** The environment that names the database and the bucket, if there are any. */
const storage = () => findFleetFolder(place.folder)?.variables ?? {}

async function readLines() {
  // The lines so far are written before this answer.
  await app?.send('GET', '/_svc/requests')
  return readLog(loadConfig({ dataDir: place.folder }, storage()))
}

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

/** Returns what is booked for a pet: units, cost, and the part of it that is not certain. */
async function readBooked(petId: string): Promise<readonly number[]> {
  const { entries } = (await shared.send('GET', '/_svc/usage')).body
  const { units, cost, maybe_cost } = entries.find(({ pet_id }: Json) => pet_id === petId)
  return [units, cost, maybe_cost]
}
const make = (pet_id: string, more = {}) => shared.makeAvatar({ pose: 'sitting', pet_id, ...more })

model('makes avatars and diary pictures, and asks the stub for animations', async () => {
  const avatar = await make('p1')
  assert.equal(
    [avatar.status, avatar.provider, avatar.model],
    ['success', 'openai:gpt-image-2.6-sunburst', 'gpt-image-2.6-sunburst'],
  )
  const animation = await shared.makeAnimation(avatar.task_id)
  assert.equal([animation.status, animation.provider], ['failed', 'stub'])
  assert.equal(await readBooked('p1'), [1, 0.04, 0])
  const { identity_asset_id } = avatar
  assert.is((await shared.makeDiary({ identity_asset_id, scene_ids: ['rain_walk'] })).status, 'success')
  assert.is(pictures.count('buy'), 2)
})

model('counts no picture that cannot be decoded, even with valid first bytes, and never buys it again', async () => {
  const bought = pictures.count('buy')
  for (const bytes of [Buffer.from('ffd8ffe000104a464946', 'hex'), await drawBlank()]) {
    pictures.plan('buy', { json: { created: 0, data: [{ b64_json: bytes.toString('base64') }] } })
    assert.is(failureOf(await make('damaged'))[0], 'provider_error')
  }
  assert.is(pictures.count('buy'), bought + 2)
  assert.equal(await readBooked('damaged'), [0, 0.08, 0.08])
  const log = JSON.stringify(await readLines())
  assert.match(log, 'its result is damaged or cut off.')
  assert.match(log, 'its result shows nothing: it is of one color or transparent throughout.')
})

const drawBlank = () =>
  sharp({ create: { width: 512, height: 512, channels: 3, background: '#000' } })
    .png()
    .toBuffer()

model('tells people what went wrong, and the operator what the vendor says', async () => {
  const plan = (...error: Parameters<typeof pictures.error>) => pictures.plan('buy', pictures.error(...error))
  plan(400, 'moderation_blocked', 'Your request was rejected by the safety system.')
  assert.equal(failureOf(await make('p2', { locale: 'zh-CN' })), [
    'content_refused',
    '模型服务因内容政策拒绝了该内容。请换一张照片，或不填写宠物的名字和品种。',
  ])
  plan(401, 'invalid_api_key', `Incorrect API key provided: ${pictures.key}.`)
  const [code, message] = failureOf(await make('p2'))
  assert.is(code, 'provider_unauthorized')
  assert.match(message, /does not accept the key of this gateway/)
  plan(404, 'model_not_found', `The model x does not exist, says ${pictures.baseUrl}, with ${pictures.key}.`)
  const bought = pictures.count('buy')
  const task = await make('p2')
  assert.equal(failureOf(task), [
    'model_unavailable',
    'The model service does not have the model that this gateway uses. Ask the operator of the gateway to choose another model.',
  ])
  assert.is(pictures.count('buy'), bought + 1)
  const { body } = await shared.send('GET', `/_svc/requests/${task.request_id}`)
  const event = body.task.units[0].events.at(-1)
  assert.is(event.code, 'model_unavailable')
  assert.match(
    event.detail,
    /^The model service does not have the model: HTTP 404: model_not_found: .*x does not exist/,
  )
  assert.not.match(event.detail, new RegExp(`${pictures.key}|127\\.0\\.0\\.1`))
  assert.ok(createRenderer((_tone, text) => text)([body]).some((line) => line.trim() === event.detail))
  const lines = (await readLines()).map((line) => JSON.stringify(line))
  assert.ok(lines.some((line) => line.includes('moderation_blocked') && line.includes('safety system')))
  assert.not.ok(lines.some((line) => line.includes(pictures.key)))
})

model('answers 502 once the model service has refused our key, and creates nothing', async () => {
  const bought = pictures.count('buy')
  pictures.plan('buy', ...Array(4).fill(pictures.error(401, 'invalid_api_key', 'No.')))
  assert.is((await shared.makeAvatar()).status, 'failed')
  const { status, body } = await shared.send('POST', '/v1/pet-avatar/generate', await form('p2', ['sitting']))
  assert.equal([status, body.error.code], [502, 'provider_error'])
  assert.is(pictures.count('buy'), bought + 4)
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

/** Starts a server on the folder, and reads a task until it has ended or `isOver`, and the notices of the operator. */
async function visit(
  { provider = 'config', path, key, modelKey = pictures.key }: Record<'path' | 'key', string> & Record<string, string>,
  isOver: () => boolean = () => false,
) {
  const config = loadConfig({ dataDir: place.folder, port: '0', provider }, { ...storage(), ARK_API_KEY: modelKey })
  const server = await createApp(config, { needsModels: true, drainMs: 200 })
  const read = async (): Promise<Json> => {
    const headers = { authorization: `Bearer ${key}` }
    return (await server.fetch(new Request(`http://svc.test${path}`, { headers }))).json()
  }
  try {
    await server.listen()
    const notices = await server.listNotices()
    let task = await read()
    await until(async () => {
      task = await read()
      return isOver() || !['pending', 'processing'].includes(task.status)
    })
    return { task, notices: notices.join('\n') }
  } finally {
    await server.close()
  }
}

/** Waits for the time in which a worker that may do so claims a unit. */
const afterClaims = () => {
  const claimedAt = performance.now() + 1500
  return () => performance.now() > claimedAt
}

models('make clips priced by the second, and deliver an ordered one that waits for its model and its key', async () => {
  const clips = await startUpstream(bytedance)
  clips.pollsNeeded = 0
  const use = (name: string) => {
    const animation = { model: `bytedance:${name}`, baseUrl: clips.baseUrl, price: '0.05usd/second' }
    write('stub', { budgets: { perPet: '0.40usd/day' } }, animation)
  }
  use('seedance-1')
  const { makeAvatar, send, key, app: service } = await start()
  const avatar = await makeAvatar({ pose: 'sitting' })
  const animate = (pose: string) => send('POST', '/v1/pet-animation/generate', { avatar_task_id: avatar.task_id, pose })
  const held = clips.hold('poll')
  const { body } = await animate('sitting')
  const { release } = await held
  // A clip has five seconds.
  assert.match((await animate('all')).body.error.message, 'this request would cost $0.25')
  await service.close()
  app = undefined
  release()
  const task = { path: `/v1/pet-animation/tasks/${body.task_id}`, key }

  for (const [provider, model] of [
    ['stub', 'seedance-1'],
    ['config', 'seedance-2'],
  ] as const) {
    use(model)
    const away = await visit({ ...task, provider }, afterClaims())
    assert.match(away.task.status, /^(pending|processing)$/, model)
    assert.match(away.notices, '1 unfinished for bytedance:seedance-1, which is not in use here')
  }
  use('seedance-1')
  const config = loadConfig({ dataDir: place.folder }, storage())
  const makeDue = () => queryDatabase(config, 'update units set run_at = 0')
  await makeDue()
  const polls = clips.count('poll')
  const wrong = await visit({ ...task, modelKey: 'revoked-key-000000' }, () => clips.count('poll') > polls)
  assert.match(wrong.task.status, /^(pending|processing)$/)
  await makeDue()
  const back = await visit(task)
  assert.ok(back.task.images.sitting.mp4_cos_key)
  assert.not.match(back.notices, 'not in use')
  assert.is(clips.count('buy'), 1)
  const { entries } = (await (await start()).send('GET', '/_svc/usage?by=model')).body
  assert.is(entries.find(({ model }: Json) => model === 'seedance-1').cost, 0.25)
  await clips.close()
})

models('of another file are left to the other program on the folder', async () => {
  write({ ...avatarAt(pictures, 'gpt-image-2.6-flare'), slots: 1 })
  const held = pictures.hold('buy')
  const { createAvatar, key, app: service } = await start()
  const id = await createAvatar({ poses: ['sitting', 'lying'] })
  const { release } = await held
  write('stub')
  const { task } = await visit({ path: `/v1/pet-avatar/tasks/${id}`, key }, afterClaims())
  assert.equal([task.images.sitting.status, task.images.lying.status], ['processing', 'pending'])
  release()
  await service.idle()
  assert.is(pictures.count('buy'), 2)
})

models(
  'tell that the vendor has switched them off, and the cost that a stop may cause if its time is too short',
  async () => {
    write(avatarAt(pictures, 'gpt-image-1'))
    const gone = 'svc-avatar: gpt-image-1 was switched off on 2026-10-23: take openai:gpt-image-2.6-sunburst.'
    for (const seconds of ['10', '200']) {
      const { app: service, close } = await start({ SVC_DRAIN_SECONDS: seconds })
      const notices = await service.listNotices()
      assert.equal(notices.slice(-1), [gone])
      if (seconds === '10') assert.match(notices[0] ?? '', /^a stop waits 10 s for models, which may take 180 s/)
      else assert.is(notices.length, 1)
      await close()
    }
    app = undefined
  },
)

models('must be usable when a server starts, and are needed for tasks alone without a server', async () => {
  write(avatarAt(pictures))
  const config = loadConfig({ dataDir: place.folder, port: '0' }, storage())
  const unset = /OPENAI_API_KEY \(for svc-avatar\) is not set/
  assert.match(await refusalOf(() => createApp(config, { needsModels: true })), unset)
  const { send } = await start({ OPENAI_API_KEY: '' })
  assert.is((await send('GET', '/_svc/usage')).status, 200)
  const { status, body } = await send('POST', '/v1/pet-avatar/generate', await form('p1', ['sitting']))
  assert.is(status, 503)
  assert.match(body.error.message, unset)
})

const form = (petId: string, poses: readonly string[]) => makeForm({ pet_id: petId, poses })

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 100_000
  while (!(await isTrue())) {
    if (Date.now() > giveUpAt) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

model.run()
models.run()
