// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { usageGroups } from '../../src/contract/usage.js'
import { type Json, type MediaApp, startMediaApp } from '../helpers/media.js'

const usage = suite('GET /_svc/usage')
let app: MediaApp
let otherKey: { id: string; text: string }
usage.before(async () => {
  app = await startMediaApp({ SVC_STUB_FAIL: 'running' })
  otherKey = await app.createKey()
  const avatar = await app.makeAvatar({ user_id: 'u1', pet_id: 'p1' })
  await app.makeAvatar({ user_id: 'u2', pet_id: 'p2', poses: ['lying', 'sitting'] })
  await app.makeAvatar({ user_id: 'u1', pet_id: undefined, pose: 'lying' })
  const body = { avatar_task_id: avatar.task_id, pose: 'lying' }
  await app.send('POST', '/v1/pet-animation/generate', body, { authorization: `Bearer ${otherKey.text}` })
  await app.idle()
})
usage.after(() => app.close())

const read = async (query = ''): Promise<Json[]> => (await app.send('GET', `/_svc/usage${query}`)).body.entries
const sum = (entries: readonly Json[], member: string) => entries.reduce((total, entry) => total + entry[member], 0)

usage('counts delivered pictures and clips by pet by default, with null for fields that differ', async () => {
  const entries = await read()
  assert.equal(
    entries.map((entry) => [entry.pet_id, entry.user_id, entry.missing_id, entry.units, entry.requests]).sort(),
    [
      ['p1', 'u1', false, 4, 2],
      ['p2', 'u2', false, 2, 1],
      ['temporary', 'u1', true, 1, 1],
    ],
  )
  assert.equal([entries[0].pet_id, entries[0].key_id, entries[0].model], ['p1', null, null])
})

usage('has the same totals by every group, and books an animation to its key and the pet of its avatar', async () => {
  const all = await read()
  const grouped = new Map<string, Json[]>()
  for (const by of usageGroups) grouped.set(by, await read(`?by=${by}`))
  assert.equal(grouped.get('pet'), all)
  for (const [by, entries] of grouped) {
    assert.ok(entries.length > 0)
    for (const member of ['requests', 'units', 'cost', 'maybe_cost'])
      assert.is(sum(entries, member), sum(all, member), `${member} by ${by}`)
    const values = entries.map((entry) => entry[by === 'model' || by === 'day' ? by : `${by}_id`])
    assert.is(values.length, new Set(values).size)
    assert.not.ok(values.includes(null))
  }
  const entry = grouped.get('key')?.find(({ key_id }) => key_id === otherKey.id)
  assert.equal([entry.pet_id, entry.model, entry.units], ['p1', 'stub-animation-1', 1])
})

usage('separates entries with and without a missing ID, and has every field in each', async () => {
  const [missing, complete] = [await read('?missing_id=true'), await read('?missing_id=false')]
  assert.equal([sum(missing, 'units'), sum(complete, 'units')], [1, 6])
  const [{ day, key_id, ...rest }] = missing as [Json]
  assert.match(day, /^\d{4}-\d\d-\d\d$/)
  assert.match(key_id, /^key_/)
  assert.equal(rest, {
    ...{ pet_id: 'temporary', user_id: 'u1', model: 'stub-avatar-1' },
    ...{ missing_id: true, missing: ['pet_id'] },
    ...{ requests: 1, units: 1, cost: 0, maybe_cost: 0 },
  })
})

usage('pages, largest first', async () => {
  const { status, body } = await app.send('GET', '/_svc/usage?page_size=1&page=2')
  assert.is(status, 200)
  assert.equal([body.page, body.page_size, body.total], [2, 1, 3])
  const pets = body.entries.map((entry: Json) => entry.pet_id)
  assert.equal(pets, ['p2'])
  const beyond = (await app.send('GET', `/_svc/usage?page=${Number.MAX_SAFE_INTEGER}&page_size=10000`)).body
  assert.equal([beyond.total, beyond.entries], [3, []])
})

usage('counts the requested days', async () => {
  const now = Date.parse((await app.send('GET', '/_svc/clock')).body.now)
  const [before, today, after] = [-1, 0, 1].map((days) => new Date(now + days * 86_400_000).toISOString().slice(0, 10))
  const units = async (query: string) => sum(await read(query), 'units')
  assert.equal(
    [await units(`?from=${today}&to=${today}`), await units(`?from=${after}`), await units(`?to=${before}`)],
    [7, 0, 0],
  )
})

usage.run()
