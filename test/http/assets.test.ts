// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, newUser, startMediaApp } from '../helpers/media.js'

const assets = suite('/v1/pet-avatars')
let app: MediaApp
assets.before(async () => {
  app = await startMediaApp({ SVC_STUB_FAIL: 'running' })
})
assets.after(() => app.close())

const list = (query: string) => app.send('GET', `/v1/pet-avatars${query}`)
const read = (id: string) => app.send('GET', `/v1/pet-avatars/${id}`)
const idsOf = (page: Json) => page.items.map((item: Json) => item.avatar_task_id)

assets('exists after a successful avatar task, and can be read', async () => {
  const { task_id, identity_asset_id } = await app.makeAvatar({ poses: ['lying', 'walking'], species: 'cat' })
  const { status, body } = await read(identity_asset_id)
  assert.is(status, 200)
  const { source_url, created_at, updated_at, poses, ...rest } = body
  assert.equal(rest, {
    identity_asset_id,
    avatar_task_id: task_id,
    animation_task_id: null,
    user_id: 'u1',
    pet_id: 'p1',
    species: 'cat',
    status: 'ready',
  })
  assert.equal([typeof created_at, typeof updated_at], ['string', 'string'])
  assert.is((await app.open(source_url)).status, 200)
  assert.equal(Object.keys(poses), ['lying', 'walking'])
  const { image_url, ...clip } = poses.lying
  assert.equal(clip, { animation_status: null, webp_url: null, mp4_url: null })
  assert.is((await app.open(image_url)).type, 'image/png')
})

assets('shows the newest animation of its pictures, and the previous one after that is deleted', async () => {
  const { task_id, identity_asset_id } = await app.makeAvatar({ poses: ['lying', 'sitting'] })
  const first = await app.makeAnimation(task_id)
  const second = await app.makeAnimation(task_id, 'sitting')
  const shown = (await read(identity_asset_id)).body
  assert.equal([shown.status, shown.animation_task_id], ['success', second.task_id])
  assert.equal([shown.poses.lying.animation_status, shown.poses.lying.webp_url], [null, null])
  const { animation_status, webp_url, mp4_url } = shown.poses.sitting
  assert.is(animation_status, 'success')
  assert.is((await app.open(webp_url)).type, 'image/webp')
  assert.is((await app.open(mp4_url)).type, 'video/mp4')
  await app.send('DELETE', `/v1/pet-animation/tasks/${second.task_id}`)
  const before = (await read(identity_asset_id)).body
  assert.equal([before.animation_task_id, before.poses.lying.animation_status], [first.task_id, 'success'])
  await app.send('DELETE', `/v1/pet-animation/tasks/${first.task_id}`)
  const bare = (await read(identity_asset_id)).body
  assert.equal([bare.status, bare.animation_task_id], ['ready', null])
})

assets('lists the assets of a user by page, newest first', async () => {
  const user_id = newUser()
  const made: string[] = []
  for (let count = 0; count < 3; count++) made.unshift((await app.makeAvatar({ user_id, pose: 'lying' })).task_id)
  await app.makeAvatar({ user_id, pose: 'running' })
  await app.makeAvatar({ user_id: newUser(), pose: 'lying' })
  const all = await list(`?user_id=${user_id}`)
  assert.is(all.status, 200)
  assert.equal([all.body.page, all.body.page_size, all.body.total, idsOf(all.body)], [1, 20, 3, made])
  const [item] = all.body.items
  const detail = (await read(item.identity_asset_id)).body
  assert.equal(Object.keys(item), Object.keys(detail))
  const first = (await list(`?user_id=${user_id}&page=1&page_size=2`)).body
  const second = (await list(`?user_id=${user_id}&page=2&page_size=2`)).body
  assert.equal([...idsOf(first), ...idsOf(second)], made)
  assert.equal([second.page, second.page_size, second.total], [2, 2, 3])
  const page = Number.MAX_SAFE_INTEGER
  const beyond = (await list(`?user_id=${user_id}&page=${page}&page_size=100`)).body
  assert.equal(beyond, { page, page_size: 100, total: 3, items: [] })
})

assets('lists the assets of `temporary` without a user', async () => {
  const { task_id } = await app.makeAvatar({ user_id: undefined, pose: 'lying' })
  for (const query of ['', '?user_id=', '?user_id=temporary']) {
    const { status, body } = await list(query)
    assert.is(status, 200)
    assert.ok(idsOf(body).includes(task_id))
  }
})

assets('answers 404 to an unknown asset, and 405 to the names of other routes', async () => {
  const ids = ['pia_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'pia_', 'avatar_x', 'tasks', 'generate', 'feedback']
  const statuses = await Promise.all(ids.map(async (id) => (await read(id)).status))
  assert.equal(statuses, [404, 404, 404, 404, 405, 405])
})

assets.run()
