// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, startMediaApp } from '../helpers/media.js'

const tasks = suite('GET /v1/pet-avatar/tasks/{task_id}')
let app: MediaApp
tasks.before(async () => {
  app = await startMediaApp({ SVC_STUB_FAIL: 'running' })
})
tasks.after(() => app.close())

const read = (id: string, headers?: Record<string, string>) =>
  app.send('GET', `/v1/pet-avatar/tasks/${id}`, undefined, headers)

tasks('shows a finished task with exactly the fields of the contract, and timestamps', async () => {
  const id = await app.createAvatar({ pose: 'sitting' })
  await app.idle()
  const { status, headers, body } = await read(id, { 'x-request-id': 'poll-1' })
  assert.is(status, 200)
  assert.is(headers.get('x-request-id'), 'poll-1')
  const { source_url, images, created_at, updated_at, request_id, ...rest } = body
  assert.equal(rest, {
    task_id: id,
    status: 'success',
    user_id: 'u1',
    pet_id: 'p1',
    provider: 'stub',
    model: 'stub-avatar-1',
    source_cos_key: `ai-gateway/photos/${id}.jpg`,
    identity_asset_id: id.replace('avatar_', 'pia_'),
    poll_after_seconds: null,
  })
  assert.match(request_id, /^req_/)
  assert.ok(Date.parse(created_at) <= Date.parse(updated_at) + 1000)
  const { generated_url, ...image } = images.sitting
  assert.equal(image, {
    status: 'success',
    generated_cos_key: `ai-gateway/avatars/${id}/sitting.png`,
    error_code: null,
    error_message: null,
  })
  assert.match(source_url, /^http:\/\/svc\.test\/objects\/ai-gateway\/photos\//)
  assert.equal(await app.open(generated_url), { status: 200, type: 'image/png' })
})

tasks('is partial_success if some poses failed, shows which and why, and makes no asset', async () => {
  const { status, task_id, identity_asset_id, poll_after_seconds, images } = await app.makeAvatar()
  assert.equal([status, identity_asset_id, poll_after_seconds], ['partial_success', null, null])
  assert.equal(
    Object.entries<Json>(images).map(([pose, image]) => [pose, image.status]),
    [
      ['lying', 'success'],
      ['sitting', 'success'],
      ['walking', 'success'],
      ['running', 'failed'],
    ],
  )
  const { error_message, ...failed } = images.running
  assert.equal(failed, { status: 'failed', generated_url: null, error_code: 'provider_error' })
  assert.match(error_message, /\w+ .*\.$/)
  assert.not.match(error_message, 'SVC_')
  const asset = await app.send('GET', `/v1/pet-avatars/${task_id.replace('avatar_', 'pia_')}`)
  assert.is(asset.status, 404)
})

tasks('is pending, with a polling interval and addresses on the public URL, until a pose is made', async () => {
  const idle = await startMediaApp({
    ...{ SVC_ROLE: 'web', SVC_POLL_AFTER_SECONDS: '7', SVC_PUBLIC_URL: 'https://pets.example.com/svc' },
  })
  const id = await idle.createAvatar({ poses: ['lying', 'running'] })
  const seen = (await idle.send('GET', `/v1/pet-avatar/tasks/${id}`)).body
  assert.equal([seen.status, seen.poll_after_seconds, seen.identity_asset_id], ['pending', 7, null])
  assert.match(seen.source_url, /^https:\/\/pets\.example\.com\/svc\/objects\/ai-gateway\/photos\//)
  const image = { status: 'pending', generated_url: null, error_code: null, error_message: null }
  assert.equal(seen.images, { lying: image, running: image })
  await idle.close()
})

tasks('answers at the legacy path, and to any permitted key', async () => {
  const id = await app.createAvatar({ pose: 'lying' })
  const { text } = await app.createKey({ endpoints: ['pet-avatar'], models: ['svc-avatar'], capabilities: ['image'] })
  const response = await app.send('GET', `/v1/pet-avatars/tasks/${id}`, undefined, { authorization: `Bearer ${text}` })
  assert.equal([response.status, response.body.task_id], [200, id])
})

tasks('answers 404 to an unknown task', async () => {
  for (const id of ['avatar_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x', '%F0%9F%90%B6', 'a'.repeat(200), '..%2F..', '%00']) {
    const { status, body } = await read(id)
    assert.equal([status, body.error.code], [404, 'not_found'], id)
  }
})

tasks.run()
