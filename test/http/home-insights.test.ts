// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, newUser, startMediaApp } from '../helpers/media.js'

const home = suite('POST /v1/home-insights/generate')
const path = '/v1/home-insights/generate'
let app: MediaApp
home.before(async () => {
  app = await startMediaApp()
})
home.after(() => app.close())

const request = (fields: Json = {}) => ({
  user_id: 'u1',
  pet_id: 'p1',
  pet_name: 'Mochi',
  species: 'dog',
  date: '2026-06-16',
  facts: { activity_minutes: 75, activity_goal_minutes: 60, birthday: '2023-06-16' },
  ...fields,
})
const send = (fields?: Json, headers?: Record<string, string>) => app.send('POST', path, request(fields), headers)
const list = async (query: string): Promise<Json> => (await app.send('GET', `/v1/ai-insights${query}`)).body
const usageBy = async (group: string): Promise<Json[]> =>
  (await app.send('GET', `/_svc/usage?by=${group}`)).body.entries
const usage = async (user: string): Promise<Json[]> => (await usageBy('user')).filter((entry) => entry.user_id === user)

home('answers cards, the most important first', async () => {
  const { status, headers, body } = await send({ locale: 'en-US' }, { 'x-request-id': 'home-1' })
  assert.is(status, 200, JSON.stringify(body))
  assert.is(headers.get('x-request-id'), 'home-1')
  const { insights, ...rest } = body
  assert.equal(rest, { request_id: 'home-1', user_id: 'u1', pet_id: 'p1', locale: 'en-US', date: '2026-06-16' })
  assert.is(insights.length, 2)
  const [{ insight_id, created_at, updated_at, title, body: text, ...birthday }, goal] = insights
  assert.match(insight_id, /^ins_[0-9a-f]{32}$/)
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
  assert.is(updated_at, created_at)
  assert.equal(birthday, { type: 'birthday', priority: 100 })
  assert.match(title, /^\w/)
  assert.match(text, /Mochi.* 3 /)
  assert.equal([goal.type, goal.priority], ['goal_reached', 60])
})

home('answers in the language of the locale, and in English without one', async () => {
  const titles = new Map<string, string>()
  for (const locale of ['zh-CN', 'en-US', 'es'] as const) {
    const { body } = await send({ locale })
    assert.is(body.locale, locale)
    titles.set(body.insights[0].title, locale)
  }
  assert.is(titles.size, 3)
  for (const locale of [undefined, null]) {
    const { body } = await send({ locale })
    assert.equal([body.locale, titles.get(body.insights[0].title)], ['en-US', 'en-US'])
  }
})

home('answers the same input equally, and stores each card once', async () => {
  const user_id = newUser()
  const first = (await send({ user_id })).body
  await app.moveClock({ advance_seconds: 3600 })
  const again = (await send({ user_id })).body
  assert.is.not(again.request_id, first.request_id)
  assert.equal({ ...again, request_id: '' }, { ...first, request_id: '' })
  const more = (await send({ user_id, facts: { birthday: '2023-06-16', rest_minutes: 480 } })).body
  assert.equal(more.insights[0], first.insights[0])
  assert.ok(more.insights[1].created_at > first.insights[1].created_at)
  assert.is((await list(`?user_id=${user_id}`)).total, 3)
})

home('counts every call for the pet, without units', async () => {
  const user_id = newUser()
  await send({ user_id })
  await send({ user_id })
  const [entry, ...others] = await usage(user_id)
  assert.equal(others, [])
  const { pet_id, requests, units, cost, missing_id } = entry ?? {}
  assert.equal([pet_id, requests, units, cost, missing_id], ['p1', 2, 0, 0, false])
})

const snapshot = (petId: unknown) => ({ petProfile: { petId } })
const owners: readonly [string, Json, string, string, readonly string[]][] = [
  ['both IDs', {}, 'u1', 'p1', []],
  ['no IDs', { user_id: undefined, pet_id: undefined }, 'temporary', 'temporary', ['user_id', 'pet_id']],
  ['IDs that are null', { user_id: null, pet_id: null }, 'temporary', 'temporary', ['user_id', 'pet_id']],
  ['the pet of a diary snapshot', { pet_id: undefined, dailyDiarySnapshot: snapshot('p2') }, 'u1', 'p2', []],
  ['the pet of a snapshot if pet_id is null', { pet_id: null, dailyDiarySnapshot: snapshot('p2') }, 'u1', 'p2', []],
  ['its own pet in preference to a snapshot’s', { dailyDiarySnapshot: snapshot('p2') }, 'u1', 'p1', []],
  ['its own pet with an invalid pet in the snapshot', { dailyDiarySnapshot: snapshot('p 1') }, 'u1', 'p1', []],
  ['its own pet with a snapshot that is not an object', { dailyDiarySnapshot: 'x' }, 'u1', 'p1', []],
  ['a snapshot without a pet', { pet_id: null, dailyDiarySnapshot: snapshot(null) }, 'u1', 'temporary', ['pet_id']],
  ['an empty snapshot', { pet_id: null, dailyDiarySnapshot: {} }, 'u1', 'temporary', ['pet_id']],
  ['a snapshot that is null', { pet_id: null, dailyDiarySnapshot: null }, 'u1', 'temporary', ['pet_id']],
]
home(
  'uses the IDs of the call, then those of a diary snapshot, then `temporary`, and notes which are missing',
  async () => {
    for (const [what, fields, user, pet] of owners) {
      const { status, body } = await send(fields)
      assert.equal([status, body.user_id, body.pet_id], [200, user, pet], what)
    }
    const noted = new Map((await usageBy('pet')).map(({ pet_id, missing }) => [pet_id, missing]))
    for (const [what, , , pet, missing] of owners) {
      for (const name of missing) assert.ok(noted.get(pet).includes(name), what)
      if (pet !== 'temporary') assert.not.ok(noted.get(pet).includes('pet_id'), what)
    }
  },
)

home('uses the date in UTC by default', async () => {
  for (const date of [undefined, null]) {
    const { body } = await send({ date })
    const today = (await app.send('GET', '/_svc/clock')).body.now.slice(0, 10)
    assert.is(body.date, today)
  }
})

const nothing = { user_id: undefined, pet_id: undefined, pet_name: undefined, species: undefined, facts: undefined }
const accepted: readonly [string, Json][] = [
  ['nothing at all', { ...nothing, date: undefined }],
  ['fields that are null', { pet_name: null, species: null, facts: null }],
  ['unknown fields and facts', { color: 'red', facts: { mood: 'happy' } }],
  ['unknown words', { facts: { weather: '晴', mood: 1 } }],
]
for (const [what, fields] of accepted) {
  home(`accepts ${what}`, async () => {
    const { status, body } = await send(fields)
    assert.is(status, 200, JSON.stringify(body))
    assert.ok(body.insights.length >= 1 && body.insights.length <= 5)
  })
}

const fact = (name: string, value: unknown) => ({ facts: { [name]: value } })
const inSnapshot = (petId: string) => ({ pet_id: undefined, dailyDiarySnapshot: snapshot(petId) })
const refused: readonly [string, Json, string][] = [
  ['a user with a NUL character', { user_id: 'x\0y' }, 'user_id` must not contain the character U+0000'],
  ['a user with a lone surrogate', { user_id: 'x\ud800y' }, 'user_id` must contain no lone surrogate'],
  ['a pet of other characters', { pet_id: 'p 1' }, 'pet_id` must contain only letters, digits, _ and -'],
  ['a surrogate', { pet_id: 'x\ud800y' }, 'pet_id` must contain only letters, digits, _ and -; character 2 is U+D800'],
  ['a wrong pet in a snapshot', inSnapshot('p 1'), 'dailyDiarySnapshot.petProfile.petId` must contain only'],
  ['a date in another format', { date: '16.06.2026' }, 'date` must be a date of the calendar as YYYY-MM-DD'],
  ['a date that does not exist', { date: '2026-02-29' }, 'date` must be a date of the calendar'],
  ['facts that are an array', { facts: [] }, 'facts` must be an object'],
  ['minutes over a day', fact('rest_minutes', 1441), 'facts.rest_minutes` must be a number from 0 to 1440'],
  ['half a bark', fact('bark_count', 1.5), 'facts.bark_count` must be an integer from 0 to 100000'],
  ['no such day', fact('birthday', '02-30'), 'facts.birthday` must be a date of the calendar as YYYY-MM-DD, or as'],
  ['no year', fact('adoption_date', '06-16'), 'facts.adoption_date` must be a date of the calendar as YYYY-MM-DD'],
]
for (const [what, fields, message] of refused) {
  home(`rejects ${what}`, async () => {
    const { status, body } = await send(fields)
    assert.equal([status, body.error?.code], [422, 'invalid_request'], JSON.stringify(body))
    assert.match(body.error.message, `\`${message}`)
  })
}

home('names every invalid field, and stores nothing', async () => {
  const user_id = newUser()
  const { body } = await send({ user_id, species: 'bird', locale: 'fr', date: 'today' })
  for (const field of ['species', 'locale', 'date']) assert.match(body.error.message, `\`${field}\``)
  assert.is((await list(`?user_id=${user_id}`)).total, 0)
  assert.equal(await usage(user_id), [])
})

home.run()
