// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, newUser, startMediaApp } from '../helpers/media.js'

const diary = suite('GET /v1/pet-diary-images')
const path = '/v1/pet-diary-images'
let app: MediaApp
/** Makes no picture. */
let idle: MediaApp
/** The key of a picture of `app`, and of a photo of `idle`. */
let cos_key: string
let photo: string
let single: Json
let library: Json
diary.before(async () => {
  app = await startMediaApp({ SVC_ENV: 'production' })
  cos_key = (await app.makeAvatar({ pose: 'sitting' })).images.sitting.generated_cos_key
  single = await app.makeDiary(fields())
  library = await app.makeDiary(fields({ scene_ids: ['sofa_nap', 'car_ride'] }))
  idle = await startMediaApp({ SVC_ROLE: 'web', SVC_POLL_AFTER_SECONDS: '7' })
  const avatar = await idle.createAvatar({ pose: 'sitting' })
  photo = (await idle.send('GET', `/v1/pet-avatar/tasks/${avatar}`)).body.source_cos_key
})
diary.after(async () => {
  await app.close()
  await idle.close()
})

const fields = (change: Record<string, unknown> = {}) => ({
  ...{ user_id: 'u1', pet_id: 'p1', species: 'dog', cos_key, scene_ids: ['sofa_nap'] },
  ...change,
})
const read = (id: string, query = '', from = app) => from.send('GET', `${path}/tasks/${id}${query}`)
const createUnfinished = async (change: Record<string, unknown>): Promise<Json> => {
  return (await idle.send('POST', `${path}/generate`, fields({ cos_key: photo, ...change }))).body
}

const owners: readonly [string, string, number][] = [
  ['the user', '?user_id=u1', 200],
  ['the user and the pet', '?user_id=u1&pet_id=p1', 200],
  ['the user and an empty pet', '?user_id=u1&pet_id=', 200],
  ['the user and another pet', '?user_id=u1&pet_id=p2', 404],
  ['another user', '?user_id=u2', 404],
  ['no user, which is temporary', '', 404],
  ['an empty user, which is temporary', '?user_id=', 404],
]
diary('answers only to the owner of a task', async () => {
  for (const [what, query, expected] of owners) {
    for (const id of [single.task_id, library.task_id, library.items[0].task_id]) {
      assert.is((await read(id, query)).status, expected, what)
    }
  }
})

diary('finds tasks of the temporary user by default', async () => {
  const { body } = await app.send('POST', `${path}/generate`, fields({ user_id: undefined }))
  assert.is((await read(body.task_id)).status, 200)
  assert.is((await read(body.task_id, '?pet_id=p1')).status, 200)
})

diary('finds no unknown task, no avatar task here, and no diary task at the paths of others', async () => {
  const { task_id } = await app.makeAvatar({ pose: 'lying', user_id: 'u1' })
  for (const id of ['diary_01K00000000000000000000000', 'diary_lib_01K00000000000000000000000', 'a%2Fb', task_id]) {
    const { status, body } = await read(id, '?user_id=u1')
    assert.equal([status, body.error.code], [404, 'not_found'], id)
  }
  assert.is((await app.send('GET', `/v1/pet-avatar/tasks/${single.task_id}`)).status, 404)
  assert.is((await app.send('GET', `/v1/pet-animation/tasks/${library.task_id}`)).status, 404)
})

diary('shows the polling interval while a task is unfinished, and omits it afterwards', async () => {
  const one = await createUnfinished({ scene_ids: ['sofa_nap'] })
  const several = await createUnfinished({ scene_ids: ['sofa_nap', 'car_ride'] })
  assert.equal([one.poll_after_seconds, several.poll_after_seconds], [7, 7])
  const task = (await read(one.task_id, '?user_id=u1', idle)).body
  assert.equal([task.status, task.poll_after_seconds, task.image_id, task.error_code], ['pending', 7, null, null])
  const unfinished = (await read(several.task_id, '?user_id=u1', idle)).body
  assert.equal([unfinished.poll_after_seconds, unfinished.completed_count], [7, 0])
  assert.not.ok('poll_after_seconds' in single)
  assert.not.ok('poll_after_seconds' in library)
  assert.not.ok('poll_after_seconds' in library.items[0])
})

diary('lists the tasks of a user in every state, newest first, by page', async () => {
  const user_id = newUser()
  const one = await createUnfinished({ user_id })
  const several = await createUnfinished({ user_id, scene_ids: ['sofa_nap', 'car_ride'] })
  const list = async (query: string) => (await idle.send('GET', `${path}?user_id=${user_id}${query}`)).body
  const all = await list('')
  assert.equal([all.page, all.page_size, all.total], [1, 20, 3])
  assert.equal(
    all.items.map((item: Json) => [item.scene_id, item.library_task_id]),
    [
      ['car_ride', several.task_id],
      ['sofa_nap', several.task_id],
      ['sofa_nap', null],
    ],
  )
  const second = await list('&page=2&page_size=2')
  const ids = second.items.map((item: Json) => item.task_id)
  assert.equal(ids, [one.task_id])
  assert.equal(await list('&page=9'), { page: 9, page_size: 20, total: 3, items: [] })
})

diary('lists the tasks of all users by default in the environment test', async () => {
  const [one, other] = [newUser(), newUser()]
  await createUnfinished({ user_id: one })
  await createUnfinished({ user_id: other })
  for (const query of ['', '?user_id=']) {
    const { items } = (await idle.send('GET', `${path}${query}`)).body
    const users = items.slice(0, 2).map((item: Json) => item.user_id)
    assert.equal(users, [other, one])
  }
})

diary('lists the tasks of temporary by default in production', async () => {
  const { body } = await app.send('GET', path)
  assert.ok(body.total > 0)
  assert.ok(body.items.every((item: Json) => item.user_id === 'temporary'))
})

diary('shows a picture of any user by its ID', async () => {
  for (const record of [single, library.items[1]]) {
    const { status, body } = await app.send('GET', `${path}/${record.image_id}`)
    assert.is(status, 200)
    assert.equal({ ...body, image_url: record.image_url }, record)
    assert.is((await app.open(body.image_url)).type, 'image/png')
  }
})

diary('answers 404 for a picture that does not exist, is not finished, or has another kind of ID', async () => {
  const { task_id } = await createUnfinished({})
  const unfinished = `img_${task_id.slice('diary_'.length)}`
  assert.is((await idle.send('GET', `${path}/${unfinished}`)).status, 404)
  for (const id of ['img_none', single.task_id, `img_${library.task_id.slice('diary_'.length)}`, 'tasks']) {
    const { status, body } = await app.send('GET', `${path}/${id}`)
    assert.is(status, 404)
    assert.is(body.error.code, 'not_found')
  }
})

diary.run()
