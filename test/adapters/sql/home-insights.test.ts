// run: PostgreSQL, fleet
import * as assert from 'uvu/assert'
import type { InsightCard } from '../../../src/ports/home-insights.js'
import type { Store } from '../../../src/ports/store.js'
import type { UsageRecord } from '../../../src/ports/usage.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'

const insights = storeSuite('home insight store', { isPooled: true })
let database: TestDatabase
let store: Store
insights.before.each(async (created) => {
  database = created
  store = await database.open()
})

const at = (second: number) => new Date(Date.UTC(2026, 5, 16, 8, 0, second))
const card = (id: string, fields: Partial<InsightCard> = {}): InsightCard => ({
  id,
  source: 'home_template',
  userId: 'u1',
  petId: 'p1',
  locale: 'es',
  date: '2026-06-16',
  type: 'rest',
  title: '[1]',
  body: "O'Malley \u{1F436}",
  priority: 40,
  createdAt: at(0),
  ...fields,
})
const call: UsageRecord = {
  requestId: 'req_1',
  callId: 'call_1',
  keyId: 'key_1',
  owner: { userId: 'u1', petId: 'p1', missing: [] },
  endpoint: 'home-insights',
  createdAt: at(0),
}

insights('returns cards as they were stored, in the order given', async () => {
  const cards = [card('ins_b'), card('ins_a', { source: 'ai' })]
  assert.equal(await store.saveInsights(cards, call), cards)
  assert.equal(await store.findInsight('ins_a'), cards[1])
  assert.is(await store.findInsight('ins_c'), undefined)
})

insights('never changes a stored card', async () => {
  await store.saveInsights([card('ins_a')], call)
  const later = card('ins_a', { createdAt: at(9) })
  assert.equal(await store.saveInsights([card('ins_b', { createdAt: at(9) }), later], call), [
    card('ins_b', { createdAt: at(9) }),
    card('ins_a'),
  ])
  const { total, items } = await store.listInsights({ userId: 'u1' }, 1, 10)
  assert.equal([total, items.map(({ id }) => id)], [2, ['ins_b', 'ins_a']])
})

insights('books a call without cards', async () => {
  assert.equal(await store.saveInsights([], call), [])
  assert.is((await store.sumUsage('pet', {}, 1, 1)).items[0]?.requests, 1)
})

insights('books nothing if the cards cannot be stored', async () => {
  await database.query('drop table home_insights')
  let failed = false
  await store.saveInsights([card('ins_a')], call).catch(() => {
    failed = true
  })
  assert.ok(failed)
  assert.is((await store.sumUsage('pet', {}, 1, 1)).total, 0)
})

insights.onSqlite('finds a page of many cards by its index', async () => {
  for (const [where, index] of [
    ['', 'home_insights_by_user'],
    ["and pet_id = 'p'", 'home_insights_by_pet'],
  ] as const) {
    const plan = await database.query(
      `explain query plan select * from home_insights where user_id = 'u' ${where} order by created_at desc, id desc limit 20`,
    )
    assert.match(JSON.stringify(plan), index)
    assert.not.match(JSON.stringify(plan), 'TEMP B-TREE')
  }
})

insights.run()
