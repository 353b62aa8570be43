// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, newUser, startMediaApp } from '../helpers/media.js'

const diary = suite('GET /v1/pet-diary-images')
const path = '/v1/pet-diary-images'
let app: MediaApp
/** A delay so long that no picture is ever made. */
let slow: MediaApp
let cos_key: string
diary.before(async () => {
  app = await startMediaApp({ SVC_ENV: 'production' })
  cos_key = (await app.makeAvatar({ pose: 'sitting' })).images.sitting.generated_cos_key
  slow = await startMediaApp({ SVC_STUB_DELAY_MS: '600000', SVC_POLL_AFTER_SECONDS: '7' })
})
diary.after(async () => {
  await app.close()
  await slow.close()
})

const fields = (change: Record<string, unknown> = {}) => ({
  ...{ user_id: 'u1', pet_id: 'p1', species: 'dog', cos_key, scene_ids: ['sofa_nap'] },
  ...change,
})
const read = (id: string, query = '', from = app) => from.send('GET', `${path}/tasks/${id}${query}`)
const createSlow = async (change: Record<string, unknown>): Promise<Json> => {
  const { source_cos_key } = (
    await slow.send('GET', `/v1/pet-avatar/tasks/${await slow.createAvatar({ pose: 'sitting' })}`)
  ).body
  return (await slow.send('POST', `${path}/generate`, fields({ cos_key: source_cos_key, ...change }))).body
}

const owners: readonly [string, string, number][] = [
  ['the user', '?user_id=u1', 200],
  ['the user and the pet', '?user_id=u1&pet_id=p1', 200],
  ['the user and an empty pet', '?user_id=u1&pet_id=', 200],
  ['the user and another pet', '?user_id=u1&pet_id=p2', 404],
  ['another user', '?user_id=u2', 404],
  ['no user, which is temporary', '', 404],
  ['an empty user, which is temporary', '?user_id=', 404],
  ['an invalid pet', '?user_id=u1&pet_id=p%201', 422],
  ['a user of 129 characters', `?user_id=${'u'.repeat(129)}`, 422],
]
let single: Json
let library: Json
diary('makes a picture and a library for the other tests', async () => {
  single = await app.makeDiary(fields())
  library = await app.makeDiary(fields({ scene_ids: ['sofa_nap', 'car_ride'] }))
})
for (const [what, query, expected] of owners) {
  diary(`answers ${expected} to ${what}`, async () => {
    for (const id of [single.task_id, library.task_id, library.items[0].task_id]) {
      assert.is((await read(id, query)).status, expected)
    }
  })
}

diary('finds tasks of the temporary user by default', async () => {
  const { body } = await app.send('POST', `${path}/generate`, fields({ user_id: undefined }))
  assert.is((await read(body.task_id)).status, 200)
  assert.is((await read(body.task_id, '?pet_id=p1')).status, 200)
})

for (const id of ['diary_01K00000000000000000000000', 'diary_lib_01K00000000000000000000000', 'x', 'a%2Fb']) {
  diary(`finds no task ${id}`, async () => {
    const { status, body } = await read(id, '?user_id=u1')
    assert.is(status, 404)
    assert.is(body.error.code, 'not_found')
  })
}

diary('finds no avatar task here, and no diary task at the avatar path', async () => {
  const { task_id } = await app.makeAvatar({ pose: 'lying', user_id: 'u1' })
  assert.is((await read(task_id, '?user_id=u1')).status, 404)
  assert.is((await app.send('GET', `/v1/pet-avatar/tasks/${single.task_id}`)).status, 404)
  assert.is((await app.send('GET', `/v1/pet-animation/tasks/${library.task_id}`)).status, 404)
})

diary('shows the polling interval while a task is unfinished, and omits it afterwards', async () => {
  const one = await createSlow({ scene_ids: ['sofa_nap'] })
  const several = await createSlow({ scene_ids: ['sofa_nap', 'car_ride'] })
  assert.equal([one.poll_after_seconds, several.poll_after_seconds], [7, 7])
  const task = (await read(one.task_id, '?user_id=u1', slow)).body
  assert.ok(['pending', 'processing'].includes(task.status))
  assert.equal([task.poll_after_seconds, task.image_id, task.error_code], [7, null, null])
  const unfinished = (await read(several.task_id, '?user_id=u1', slow)).body
  assert.equal([unfinished.poll_after_seconds, unfinished.completed_count], [7, 0])
  assert.not.ok('poll_after_seconds' in single)
  assert.not.ok('poll_after_seconds' in library)
  assert.not.ok('poll_after_seconds' in library.items[0])
})

diary('lists the tasks of a user in every state, newest first, by page', async () => {
  const user_id = newUser()
  const one = await createSlow({ user_id })
  const several = await createSlow({ user_id, scene_ids: ['sofa_nap', 'car_ride'] })
  const list = async (query: string) => (await slow.send('GET', `${path}?user_id=${user_id}${query}`)).body
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
  assert.equal(
    second.items.map((item: Json) => item.task_id),
    [one.task_id],
  )
  assert.equal(await list('&page=9'), { page: 9, page_size: 20, total: 3, items: [] })
})

for (const query of ['page=0', 'page=x', 'page=1.5', 'page_size=0', 'page_size=101', `user_id=${'u'.repeat(129)}`]) {
  diary(`rejects a list with ${query.slice(0, 20)}`, async () => {
    assert.is((await app.send('GET', `${path}?${query}`)).status, 422)
  })
}

diary('lists the tasks of all users by default in the environment test', async () => {
  const [one, other] = [newUser(), newUser()]
  await createSlow({ user_id: one })
  await createSlow({ user_id: other })
  for (const query of ['', '?user_id=']) {
    const { items } = (await slow.send('GET', `${path}${query}`)).body
    assert.equal(
      items.slice(0, 2).map((item: Json) => item.user_id),
      [other, one],
    )
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
  const { task_id } = await createSlow({})
  const unfinished = `img_${task_id.slice('diary_'.length)}`
  assert.is((await slow.send('GET', `${path}/${unfinished}`)).status, 404)
  for (const id of ['img_none', single.task_id, `img_${library.task_id.slice('diary_'.length)}`, 'tasks']) {
    const { status, body } = await app.send('GET', `${path}/${id}`)
    assert.is(status, 404)
    assert.is(body.error.code, 'not_found')
  }
})

diary.run()
