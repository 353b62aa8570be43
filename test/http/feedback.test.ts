// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Feedback } from '../../src/ports/store.js'
import { type Json, type MediaApp, startMediaApp } from '../helpers/media.js'

const feedback = suite('POST /v1/pet-avatars/feedback')
let app: MediaApp
let avatar: Json
let keys: string[]
feedback.before(async () => {
  app = await startMediaApp()
  avatar = await app.makeAvatar()
  keys = Object.values<Json>(avatar.images).map((image) => image.generated_cos_key)
})
feedback.after(() => app.close())

const save = (feedbacks: unknown) => app.send('POST', '/v1/pet-avatars/feedback', { feedbacks })

/** Reads the stored feedback directly, since the service does not show it. */
async function readKept(objectKeys: string[]): Promise<Feedback[]> {
  const { store, close } = await app.openOther()
  const kept = await store.listFeedback(objectKeys)
  await close()
  return kept
}

feedback('stores a record and answers as in the contract', async () => {
  const { status, headers, body } = await save([{ cos_key: keys[0], liked: true }])
  assert.is(status, 200)
  assert.equal(body, {
    result: { code: 200, message: 'The feedback was saved.', request_id: headers.get('x-request-id') },
  })
  assert.equal(await readKept([keys[0] ?? '']), [{ objectKey: keys[0], liked: true }])
})

const like = (cos_key?: string) => ({ cos_key, liked: true })
const wrong: readonly [string, () => unknown, string][] = [
  ['a record without a value', () => [{ cos_key: keys[2] }], '`feedbacks[0]` needs `liked`, `selected` or both'],
  ['a key twice', () => [like(keys[2]), like(keys[3]), like(keys[2])], '`feedbacks[2]` has the cos_key of `feedbacks'],
  ['a key of nothing', () => [like(keys[2]), like('ai-gateway/x.png')], '`feedbacks[1]` has a cos_key that is not'],
  ['the key of a photo', () => [like(avatar.source_cos_key)], 'feedbacks[0]'],
]
for (const [what, records, named] of wrong) {
  feedback(`rejects ${what}, and stores nothing of the call`, async () => {
    const { status, body } = await save(records())
    assert.equal([status, body.error.code], [422, 'invalid_request'])
    assert.ok(body.error.message.includes(named), body.error.message)
    assert.equal(await readKept([keys[2] ?? '', keys[3] ?? '']), [])
  })
}

feedback('rejects the key of a clip', async () => {
  const { images } = await app.makeAnimation(avatar.task_id, 'lying')
  assert.is((await save([{ cos_key: images.lying.webp_cos_key, liked: true }])).status, 422)
})

feedback.run()
