// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, type MediaApp, newUser, startMediaApp } from '../helpers/media.js'

const insights = suite('/v1/ai-insights')
let app: MediaApp
insights.before(async () => {
  app = await startMediaApp()
})
insights.after(() => app.close())

const list = (query: string) => app.send('GET', `/v1/ai-insights${query}`)
const read = (id: string) => app.send('GET', `/v1/ai-insights/${id}`)
const make = async (fields: Json): Promise<Json> =>
  (await app.send('POST', '/v1/home-insights/generate', { date: '2026-06-16', pet_id: 'p1', ...fields })).body.insights
const idsOf = (items: readonly Json[]) => items.map(({ insight_id }) => insight_id)

insights('shows a card as created, alone and in a list', async () => {
  const user_id = newUser()
  const [{ insight_id, ...card }] = await make({ user_id, locale: 'es' })
  const { status, body } = await read(insight_id)
  assert.is(status, 200)
  assert.equal(body, {
    insight_id,
    ...card,
    source: 'home_template',
    user_id,
    pet_id: 'p1',
    locale: 'es',
    date: '2026-06-16',
  })
  assert.equal((await list(`?user_id=${user_id}`)).body.items, [body])
})

insights('shows cards from before the templates', async () => {
  const user_id = newUser()
  const [{ insight_id }] = await make({ user_id })
  await app.query(`update home_insights set source = 'ai', type = 'mood' where id = '${insight_id}'`)
  const { body } = await read(insight_id)
  assert.equal([body.source, body.type], ['ai', 'mood'])
})

insights('lists the cards of a user or a pet by page, newest first', async () => {
  const user_id = newUser()
  const facts = { bark_count: 1, rest_minutes: 60, streak_days: 2 }
  const old = idsOf(await make({ user_id, facts }))
    .sort()
    .reverse()
  await app.moveClock({ advance_seconds: 1 })
  const [newest] = idsOf(await make({ user_id, pet_id: 'p2' }))
  await make({ user_id: newUser() })
  const all = (await list(`?user_id=${user_id}`)).body
  assert.equal([all.total, idsOf(all.items)], [4, [newest, ...old]])
  const pages = await Promise.all([1, 2, 3].map((page) => list(`?user_id=${user_id}&page=${page}&page_size=3`)))
  assert.equal(
    pages.map(({ body }) => [body.page, body.page_size, body.total, idsOf(body.items)]),
    [
      [1, 3, 4, [newest, ...old.slice(0, 2)]],
      [2, 3, 4, old.slice(2)],
      [3, 3, 4, []],
    ],
  )
  assert.equal(idsOf((await list(`?user_id=${user_id}&pet_id=p1`)).body.items), old)
  assert.equal((await list(`?user_id=${user_id}&pet_id=p1&page_size=1`)).body.total, 3)
  assert.equal(idsOf((await list(`?user_id=${user_id}&pet_id=p2`)).body.items), [newest])
  assert.is((await list(`?user_id=${user_id}&pet_id=p3`)).body.total, 0)
  assert.is((await list(`?user_id=${user_id}&pet_id=`)).body.total, 4)
})

insights('lists the cards of `temporary` without a user', async () => {
  const [card] = await make({ user_id: null })
  for (const query of ['', '?user_id=', '?user_id=temporary']) {
    assert.ok(idsOf((await list(query)).body.items).includes(card.insight_id))
  }
})

insights('answers 404 to an unknown ID', async () => {
  for (const id of ['ins_00000000000000000000000000000000', 'ins_', 'x', '%00', 'i'.repeat(129)]) {
    const { status, body } = await read(id)
    assert.equal([status, body.error.code], [404, 'not_found'], id)
  }
})

const bodies: readonly [body: string | undefined, type?: string][] = [
  [undefined],
  ['{', 'application/json'],
  ['a=b', 'application/x-www-form-urlencoded'],
  ['x'.repeat(2 << 20), 'application/json'],
]
insights('answers 410 to generate with any body', async () => {
  for (const [sent, type] of bodies) {
    const given: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    const answer = await app.send('POST', '/v1/ai-insights/generate', sent && Buffer.from(sent), given)
    const { status, headers, body } = answer
    assert.equal([status, body.error.code, body.error.request_id], [410, 'gone', headers.get('x-request-id')])
    assert.match(body.error.message, '/v1/home-insights/generate')
    const link = '</v1/home-insights/generate>; rel="successor-version"'
    const retired = ['deprecation', 'sunset', 'link'].map((name) => headers.get(name))
    assert.equal(retired, ['@1791331200', 'Wed, 07 Oct 2026 00:00:00 GMT', link])
  }
})

insights('answers 410 before the retirement day too', async () => {
  await app.moveClock({ time: '2026-01-01T00:00:00Z' })
  const { text } = await app.createKey()
  const { status } = await app.send('POST', '/v1/ai-insights/generate', {}, { authorization: `Bearer ${text}` })
  await app.moveClock({ reset: true })
  assert.is(status, 410)
})

insights.run()
