// run: PostgreSQL, fleet
import * as assert from 'uvu/assert'
import type { UpkeepDatabase } from '../../../src/adapters/sql/upkeep/upkeep-database.js'
import { pruneRows } from '../../../src/adapters/sql/upkeep/usage-pruner.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'

const prune = storeSuite('pruning of cards, selections and sums of budgets', { isPooled: true })
const now = Date.UTC(2026, 10, 25, 12)
const dayMs = 86_400_000
/** More than a statement deletes. */
const cards = 12_000
let database: TestDatabase
let upkeep: UpkeepDatabase
prune.before.each((given) => {
  database = given
  upkeep = given.openUpkeep()
})

const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${cards})`

prune('deletes old cards and selections in several commits, in any order of rows, and keeps the others', async () => {
  // Young and old rows by turns, as after a deletion whose space was filled.
  const time = `case n % 3 when 0 then ${now} else ${now - 40 * dayMs} + n / 2 end`
  await database.query(`${numbers} insert into home_insights (id, source, user_id, pet_id, locale, local_date, type, title,
    body, priority, created_at) select 'ins_' || n, 'rules', 'u', 'p', 'en-US', '2026-11-01', 't', 't', 'b', 1, ${time} from numbers`)
  await database.query(`${numbers} insert into selections (id, user_id, pet_id, day, image_id, scene_id, score, matched,
    created_at) select 'sel_' || n, 'u', 'p', '2026-11-01', 'i', 's', 1, '[]', ${time} from numbers`)
  const options = { before: now - 30 * dayMs, now, dryRun: false }
  const planned = await pruneRows(upkeep, { ...options, dryRun: true })
  assert.equal(planned, { home_insights: (cards * 2) / 3, selections: (cards * 2) / 3, spending: 0 })
  assert.equal(await pruneRows(upkeep, options), planned)
  for (const table of ['home_insights', 'selections']) {
    const [row] = await database.query(`select count(*) as total, min(created_at) as oldest from ${table}`)
    assert.equal([Number(row?.total), Number(row?.oldest)], [cards / 3, now])
  }
  assert.equal(await pruneRows(upkeep, options), { home_insights: 0, selections: 0, spending: 0 })
})

prune('deletes sums of budgets that no window reads, and reservations that ended', async () => {
  const days = [Date.UTC(2026, 8, 30), Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 25)]
  const rows = Array.from({ length: 900 }, (_, owner) => [
    ...days.map((day) => `('pet', 'pet-${owner}', ${day}, 100)`),
    `('pet', 'pet-${owner}', 0, ${owner % 2})`,
  ])
  await database.query(`insert into spending (owner_kind, owner_id, starts_at, micros) values ${rows.flat().join()}`)
  const options = { before: now, now, dryRun: false }
  const planned = await pruneRows(upkeep, { ...options, dryRun: true })
  assert.is(planned.spending, 900 + 450)
  assert.equal(await pruneRows(upkeep, options), planned)
  const left = await database.query('select starts_at, count(*) as rows from spending group by 1 order by 1')
  assert.equal(
    left.map((row) => [Number(row.starts_at), Number(row.rows)]),
    [[0, 450], ...days.slice(1).map((day) => [day, 900])],
  )
  assert.is((await pruneRows(upkeep, { ...options, before: Date.UTC(2026, 8, 1) })).spending, 0)
})

prune.run()
