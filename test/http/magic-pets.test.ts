// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { magicPets } from '../../src/faults/magic-pets.js'
import { type Answer, type Json, type MediaApp, makeForm, startMediaApp } from '../helpers/media.js'
import { buildPayload } from '../helpers/payloads.js'

const magic = suite('magic pets of calls')
let app: MediaApp
magic.before(async () => {
  app = await startMediaApp()
})
magic.after.each(async () => {
  await app.send('DELETE', '/_svc/faults')
})
magic.after(() => app.close())

const card = { user_id: 'u1', pet_name: 'Tom', species: 'cat', locale: 'en-US', date: '2026-10-20', facts: {} }
const postCard = (fields: Json): Promise<Answer> =>
  app.send('POST', '/v1/home-insights/generate', { ...card, ...fields })
const postPayload = (petId: string, more = {}): Promise<Answer> => {
  const payload = buildPayload({ metric: 'activity', viewWindow: 'week', ...more })
  return app.send('POST', '/v1/health-detail-insights/generate', { ...payload, petId })
}
const poll = (id: string) => app.send('GET', `/v1/pet-avatar/tasks/${id}`)
const addRule = (rule: Json) => app.send('POST', '/_svc/faults', rule)
const unrelated = () => addRule({ pet: 'nobody', status: 500 })

const statuses = Object.keys(magicPets).flatMap((id) => /^svc-(\d{3})$/.exec(id)?.[1] ?? [])
magic('answers the status of a pet, however a call names it', async () => {
  for (const status of statuses.map(Number)) {
    const petId = `svc-${status}`
    for (const answer of [
      await postCard({ pet_id: petId }),
      await postCard({ dailyDiarySnapshot: { petProfile: { petId } } }),
      await postPayload(petId),
      await app.send('GET', `/v1/ai-insights?user_id=u1&pet_id=${petId}`),
    ])
      assert.equal([answer.status, answer.headers.get('svc-fault')], [status, petId])
  }
})

magic('leaves calls of other pets alone, and a payload that has such an ID elsewhere', async () => {
  const elsewhere = { name: 'svc-429' }
  for (const answer of [await postCard({ pet_id: 'svc-slow' }), await postPayload('tom', elsewhere)]) {
    assert.equal([answer.status, answer.headers.get('svc-fault')], [200, null])
  }
})

for (const hasRule of [false, true]) {
  magic(`spares the polls of a task ${hasRule ? 'with' : 'without'} a rule for another pet`, async () => {
    if (hasRule) await unrelated()
    const form = await makeForm({ pose: 'sitting', pet_id: 'svc-lost-answer' })
    const headers = { 'idempotency-key': `lost-${hasRule}` }
    const create = () => app.send('POST', '/v1/pet-avatar/generate', form, headers)
    const lost = await create().catch((error: Error) => error)
    assert.match(String((lost as Error).message), /closed the connection/)
    const { body } = await create()
    await app.idle()
    assert.equal([(await poll(body.task_id)).status, (await poll(body.task_id)).body.status], [200, 'success'])
  })
}

magic('names no rule in an answer that is replayed and spared', async () => {
  const form = await makeForm({ pose: 'sitting', pet_id: 'svc-malformed' })
  const create = () => app.send('POST', '/v1/pet-avatar/generate', form, { 'idempotency-key': 'spared-1' })
  await create().catch(() => {})
  const { status, headers, body } = await create()
  assert.equal([status, headers.get('idempotent-replayed'), headers.get('svc-fault')], [200, 'true', null])
  assert.ok(body.task_id)
  const trace = await app.send('GET', `/_svc/requests/${headers.get('x-request-id')}`)
  assert.equal([trace.body.status, trace.body.fault], [200, undefined])
})

magic('names no rule in an answer without addresses', async () => {
  const { status, headers } = await postCard({ pet_id: 'svc-expired-address' })
  assert.equal([status, headers.get('svc-fault')], [200, null])
  const trace = await app.send('GET', `/_svc/requests/${headers.get('x-request-id')}`)
  assert.is(trace.body.fault, undefined)
})

magic('keeps the name of a rule that delayed an answer without addresses', async () => {
  const { body } = await addRule({ pet: 'svc-expired-address', delay: '100ms' })
  const { headers } = await postCard({ pet_id: 'svc-expired-address' })
  assert.is(headers.get('svc-fault'), body.id)
  const trace = (await app.send('GET', `/_svc/requests/${headers.get('x-request-id')}`)).body
  assert.ok(trace.fault === body.id && trace.duration_ms >= 99, JSON.stringify(trace))
})

magic('answers with expired addresses about the pet, in lists too, and with good ones about others', async () => {
  const fields = { user_id: 'mixed', pose: 'sitting' }
  await app.makeAvatar({ ...fields, pet_id: 'tom' })
  const { images, task_id } = await app.makeAvatar({ ...fields, pet_id: 'svc-expired-address' })
  assert.is((await app.open(images.sitting.generated_url)).status, 403)
  const { body, headers } = await app.send('GET', '/v1/pet-avatars?user_id=mixed')
  assert.is(headers.get('svc-fault'), 'svc-expired-address')
  const seen = new Map<string, number>()
  for (const { pet_id, poses } of body.items) seen.set(pet_id, (await app.open(poses.sitting.image_url)).status)
  assert.equal(Object.fromEntries(seen), { 'svc-expired-address': 403, tom: 200 })
  assert.is((await poll(task_id)).headers.get('svc-fault'), 'svc-expired-address')
})

magic('warns in the log of IDs like those of magic pets', async () => {
  for (const [petId, expected] of [
    ['svc-partial', 'a magic pet, such as svc-partial-success'],
    ['svc-my-own-pet', 'a magic pet, or an ID that does not begin with svc-'],
    ['svc-slwo', 'a magic pet, such as svc-slow'],
    ['SVC-429', 'a magic pet, such as svc-429'],
  ] as const) {
    const answers = { '/pet_id': await postCard({ pet_id: petId }), '/petId': await postPayload(petId) }
    for (const [path, { status, headers }] of Object.entries(answers)) {
      assert.is(status, 200)
      const { body } = await app.send('GET', `/_svc/requests/${headers.get('x-request-id')}`)
      const [{ sentence, ...warning }, ...more] = body.warnings
      assert.equal([warning, more], [{ rule: 'unknown-magic-pet', path, expected }, []])
      assert.match(sentence, /^There is no magic pet/)
    }
  }
})

magic.run()
