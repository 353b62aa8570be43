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

tasks('is partial_success if some poses failed, and shows which and why', async () => {
  const { status, identity_asset_id, poll_after_seconds, images } = await app.makeAvatar()
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
})

tasks('is failed if every pose failed', async () => {
  const { status, identity_asset_id, images } = await app.makeAvatar({ pose: 'running' })
  assert.equal([status, identity_asset_id, images.running.status], ['failed', null, 'failed'])
})

tasks('is pending and processing, with a polling interval, until all poses are done', async () => {
  const slow = await startMediaApp({ SVC_STUB_DELAY_MS: '60000', SVC_POLL_AFTER_SECONDS: '7' })
  const id = await slow.createAvatar()
  const seen = (await slow.send('GET', `/v1/pet-avatar/tasks/${id}`)).body
  assert.ok(['pending', 'processing'].includes(seen.status))
  assert.equal([seen.poll_after_seconds, seen.identity_asset_id], [7, null])
  for (const image of Object.values<Json>(seen.images)) {
    assert.ok(['pending', 'processing'].includes(image.status))
    const { status: _, ...rest } = image
    assert.equal(rest, { generated_url: null, error_code: null, error_message: null })
  }
  await slow.close()
})

tasks('continues after a restart, and loses nothing', async () => {
  const first = await startMediaApp({ SVC_STUB_DELAY_MS: '60000' })
  const id = await first.createAvatar()
  await first.app.close()
  const second = await startMediaApp({}, first.dataDir)
  await second.idle()
  assert.is((await second.send('GET', `/v1/pet-avatar/tasks/${id}`)).body.status, 'success')
  await second.app.close()
  await first.close()
})

tasks('answers at the legacy path, and to any permitted key', async () => {
  const id = await app.createAvatar({ pose: 'lying' })
  const { text } = await app.createKey({ endpoints: ['pet-avatar'], models: ['svc-avatar'], capabilities: ['image'] })
  const response = await app.send('GET', `/v1/pet-avatars/tasks/${id}`, undefined, { authorization: `Bearer ${text}` })
  assert.equal([response.status, response.body.task_id], [200, id])
})

for (const id of ['avatar_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x', '%F0%9F%90%B6', 'a'.repeat(200), '..%2F..', '%00']) {
  tasks(`answers 404 to the task ${id.slice(0, 40)}`, async () => {
    const { status, body } = await read(id)
    assert.equal([status, body.error.code], [404, 'not_found'])
  })
}

tasks('does not find an animation task', async () => {
  const avatar = await app.makeAvatar({ pose: 'lying' })
  const animation = await app.makeAnimation(avatar.task_id)
  assert.is((await read(animation.task_id)).status, 404)
})

tasks('builds addresses on the configured public URL', async () => {
  const public_ = await startMediaApp({ SVC_PUBLIC_URL: 'https://pets.example.com/svc' })
  const { source_url } = await public_.makeAvatar({ pose: 'lying' })
  assert.match(source_url, /^https:\/\/pets\.example\.com\/svc\/objects\/ai-gateway\/photos\//)
  await public_.close()
})

tasks('answers HEAD, and rejects other methods', async () => {
  const id = await app.createAvatar({ pose: 'lying' })
  assert.is((await app.send('HEAD', `/v1/pet-avatar/tasks/${id}`)).status, 200)
  const { status, headers } = await app.send('DELETE', `/v1/pet-avatar/tasks/${id}`)
  assert.equal([status, headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
})

tasks.run()
