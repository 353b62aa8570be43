// run: fleet
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, startMediaApp } from '../helpers/media.js'
import { skipOnFleet } from '../helpers/skip.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const animations = suite('/v1/pet-animation')
const path = '/v1/pet-animation/generate'
const taskPath = '/v1/pet-animation/tasks'
let app: MediaApp
/** An avatar with two poses, made once. */
let avatar: Json
/** An avatar whose pose `running` failed. */
let partial: Json
let failed: Json
/** The animation of all poses of `avatar`. */
let finished: Json
animations.before(async () => {
  app = await startMediaApp({ SVC_STUB_FAIL: 'running' })
  avatar = await app.makeAvatar({ poses: ['lying', 'sitting'], user_id: 'u7', pet_id: '' })
  partial = await app.makeAvatar({ poses: ['lying', 'running'] })
  failed = await app.makeAvatar({ pose: 'running' })
  const { task_id } = (await app.send('POST', path, { avatar_task_id: avatar.task_id })).body
  await app.idle()
  finished = (await read(task_id)).body
})
animations.after(() => app.close())

const read = (id: string) => app.send('GET', `${taskPath}/${id}`)
const remove = (id: string) => app.send('DELETE', `${taskPath}/${id}`)

animations('creates a task, and deletes it and its files once when it is finished', async () => {
  const { status, headers, body } = await app.send('POST', path, { avatar_task_id: avatar.task_id, pose: 'lying' })
  assert.is(status, 200)
  assert.match(body.task_id, /^anim_[0-9A-Z]{26}$/)
  assert.equal(body, {
    request_id: headers.get('x-request-id'),
    task_id: body.task_id,
    status: 'pending',
    message: 'The animation task was created.',
    poll_after_seconds: 3,
  })
  const { task_id } = body
  await app.idle()
  const { lying } = (await read(task_id)).body.images
  for (const url of [lying.webp_url, lying.mp4_url]) assert.is((await app.open(url)).status, 200)
  const answer = await remove(task_id)
  assert.equal([answer.status, answer.body, answer.headers.get('content-type')], [204, undefined, null])
  assert.ok(answer.headers.get('x-request-id'))
  assert.is((await read(task_id)).status, 404)
  assert.is((await remove(task_id)).status, 404)
  for (const url of [lying.webp_url, lying.mp4_url]) assert.is((await app.open(url)).status, 404)
  assert.is((await app.open(avatar.images.lying.generated_url)).status, 200)
})

animations('animates all poses by default, and shows exactly the fields of the contract', async () => {
  const { created_at, updated_at, request_id, images, ...rest } = finished
  assert.equal(rest, {
    task_id: rest.task_id,
    avatar_task_id: avatar.task_id,
    status: 'success',
    user_id: 'u7',
    pet_id: 'temporary',
    provider: 'stub',
    model: 'stub-animation-1',
    duration_seconds: 2,
    output_formats: ['webp', 'mp4'],
    poll_after_seconds: null,
  })
  assert.equal([typeof created_at, typeof updated_at, typeof request_id], ['string', 'string', 'string'])
  assert.equal(Object.keys(images), ['lying', 'sitting'])
  const { webp_url, mp4_url, ...clip } = images.sitting
  assert.equal(clip, {
    status: 'success',
    webp_cos_key: `ai-gateway/animations/${rest.task_id}/sitting.webp`,
    mp4_cos_key: `ai-gateway/animations/${rest.task_id}/sitting.mp4`,
    error_code: null,
    error_message: null,
  })
  assert.is((await app.open(webp_url)).type, 'image/webp')
  assert.is((await app.open(mp4_url)).type, 'video/mp4')
})

animations('animates the poses that have an image if others failed', async () => {
  const { status, images } = await app.makeAnimation(partial.task_id)
  assert.equal([partial.status, status, Object.keys(images)], ['partial_success', 'success', ['lying']])
})

const refused: readonly [string, () => unknown, number, string][] = [
  ['no avatar task', () => ({}), 422, 'avatar_task_id'],
  ['another pose', () => ({ avatar_task_id: avatar.task_id, pose: 'flying' }), 422, 'pose'],
  ['an unknown ID of 128 characters', () => ({ avatar_task_id: 'a'.repeat(128) }), 404, 'avatar_task_id'],
  ['another pose of an unknown task', () => ({ avatar_task_id: 'avatar_x', pose: 'flying' }), 422, 'pose'],
  ['an avatar task that failed', () => ({ avatar_task_id: failed.task_id }), 422, 'has failed'],
  ['a pose that was not requested', () => ({ avatar_task_id: avatar.task_id, pose: 'walking' }), 422, 'walking'],
  ['a pose that failed', () => ({ avatar_task_id: partial.task_id, pose: 'running' }), 422, 'running'],
]
for (const [what, body, expected, named] of refused) {
  animations(`answers ${expected} to ${what}`, async () => {
    const answer = await app.send('POST', path, body())
    assert.is(answer.status, expected)
    assert.match(answer.body.error.message, named)
  })
}

animations('animates neither an animation nor an unfinished avatar', async () => {
  assert.is((await app.send('POST', path, { avatar_task_id: finished.task_id })).status, 404)
  const idle = await startMediaApp({ SVC_ROLE: 'web' })
  const { status, body } = await idle.send('POST', path, { avatar_task_id: await idle.createAvatar() })
  assert.is(status, 422)
  assert.match(body.error.message, 'not finished')
  await idle.close()
})

animations('rejects the deletion of an unfinished task, which continues at the next start', async () => {
  const { folder, close } = openTemporaryFolder()
  const start = (role: string) => startMediaApp({ SVC_ROLE: role }, folder)
  let service = await start('all')
  const { task_id } = await service.makeAvatar({ pose: 'lying' })
  await service.close()
  service = await start('web')
  const { body } = await service.send('POST', path, { avatar_task_id: task_id })
  const refused = await service.send('DELETE', `${taskPath}/${body.task_id}`)
  assert.equal([refused.status, refused.body.error.code], [409, 'conflict'])
  const seen = (await service.send('GET', `${taskPath}/${body.task_id}`)).body
  assert.equal([seen.status, seen.poll_after_seconds, seen.duration_seconds], ['pending', 3, 2])
  assert.is(seen.images.lying.webp_cos_key, null)
  await service.close()
  service = await start('all')
  await service.idle()
  assert.is((await service.send('GET', `${taskPath}/${body.task_id}`)).body.status, 'success')
  await service.close()
  close()
})

animations('keeps a task whose files cannot be removed until the deletion is repeated', async () => {
  if (skipOnFleet('a file that cannot be removed: a bucket has no folders')) return
  const { task_id } = await app.makeAnimation(avatar.task_id, 'lying')
  const file = join(app.dataDir, `objects/ai-gateway/animations/${task_id}/lying.mp4`)
  rmSync(file)
  mkdirSync(file)
  const { status, body } = await remove(task_id)
  assert.equal([status, body.error.code], [500, 'internal_error'])
  assert.is((await read(task_id)).body.status, 'delete_failed')
  for (const kept of ['processing', 'deleting', 'delete_failed']) {
    await app.query(`update tasks set status = '${kept}' where id = '${task_id}'`)
    const seen = (await read(task_id)).body
    assert.equal([seen.status, seen.poll_after_seconds], [kept, kept === 'delete_failed' ? null : 3])
  }
  assert.is((await remove(task_id)).status, 500)
  rmSync(file, { recursive: true })
  assert.is((await remove(task_id)).status, 204)
  assert.is((await read(task_id)).status, 404)
})

animations('neither finds nor deletes an unknown task, or one of an avatar', async () => {
  for (const id of ['anim_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x', 'a'.repeat(200), avatar.task_id]) {
    assert.equal([(await read(id)).status, (await remove(id)).status], [404, 404], id)
  }
  assert.is((await app.send('GET', `/v1/pet-avatar/tasks/${avatar.task_id}`)).status, 200)
})

animations('deletes a task once for concurrent requests', async () => {
  const { task_id } = await app.makeAnimation(avatar.task_id, 'lying')
  const statuses = (await Promise.all([1, 2, 3].map(() => remove(task_id)))).map(({ status }) => status)
  assert.is(statuses.filter((status) => status === 204).length, 1)
  assert.ok(
    statuses.every((status) => [204, 404, 409].includes(status)),
    statuses.join(),
  )
  assert.is((await read(task_id)).status, 404)
})

animations.run()
