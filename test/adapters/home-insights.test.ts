import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../src/adapters/sql/driver.js'
import { openSqliteStore } from '../../src/adapters/sql/store.js'
import type { InsightCall, InsightCard } from '../../src/ports/home-insights.js'
import type { Store } from '../../src/ports.js'
import { makeFolder } from '../helpers/app.js'

const insights = suite('home insight store')
let folder: ReturnType<typeof makeFolder>
let store: Store
insights.before.each(async () => {
  folder = makeFolder()
  store = await openSqliteStore(join(folder.path, 'svc.db'))
})
insights.after.each(async () => {
  await store.close()
  folder.remove()
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
const call: InsightCall = {
  requestId: 'req_1',
  keyId: 'key_1',
  owner: { userId: 'u1', petId: 'p1', missing: [] },
  endpoint: 'home-insights',
  calledAt: at(0),
}

insights('gives cards back as they were kept, in the order given', async () => {
  const cards = [card('ins_b'), card('ins_a', { source: 'ai' })]
  assert.equal(await store.saveInsights(cards, call), cards)
  assert.equal(await store.findInsight('ins_a'), cards[1])
  assert.is(await store.findInsight('ins_c'), undefined)
})

insights('keeps a card as it was first', async () => {
  await store.saveInsights([card('ins_a')], call)
  const later = card('ins_a', { createdAt: at(9) })
  assert.equal(await store.saveInsights([card('ins_b', { createdAt: at(9) }), later], call), [
    card('ins_b', { createdAt: at(9) }),
    card('ins_a'),
  ])
  const { total, items } = await store.listInsights({ userId: 'u1' }, 1, 10)
  assert.equal([total, items.map(({ id }) => id)], [2, ['ins_b', 'ins_a']])
})

insights('books a call without cards, too', async () => {
  assert.equal(await store.saveInsights([], call), [])
  assert.is((await store.sumUsage('pet', {}, 1, 1)).items[0]?.requests, 1)
})

insights('books nothing where the cards cannot be kept', async () => {
  const database = new Database(join(folder.path, 'svc.db'))
  database.exec('drop table home_insights')
  database.close()
  let failed = false
  await store.saveInsights([card('ins_a')], call).catch(() => {
    failed = true
  })
  assert.ok(failed)
  assert.is((await store.sumUsage('pet', {}, 1, 1)).total, 0)
})

insights('finds a page of many cards by its index', async () => {
  const database = new Database(join(folder.path, 'svc.db'))
  for (const [where, index] of [
    ['', 'home_insights_by_user'],
    ["and pet_id = 'p'", 'home_insights_by_pet'],
  ] as const) {
    const plan = database
      .prepare(
        `explain query plan select * from home_insights where user_id = 'u' ${where} order by created_at desc, id desc limit 20`,
      )
      .all()
    assert.match(JSON.stringify(plan), index)
    assert.not.match(JSON.stringify(plan), 'TEMP B-TREE')
  }
  database.close()
})

insights.run()
