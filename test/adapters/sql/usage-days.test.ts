// run: PostgreSQL
import { setTimeout as delay } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { openPostgresStore } from '../../../src/adapters/sql/postgres/open-store.js'
import type { UpkeepDatabase } from '../../../src/adapters/sql/upkeep/upkeep-database.js'
import { pruneUsage } from '../../../src/adapters/sql/upkeep/usage-pruner.js'
import { sumDays } from '../../../src/adapters/sql/usage-days.js'
import { startDailySums } from '../../../src/app/upkeep/cleaner.js'
import { usageGroups } from '../../../src/contract/usage.js'
import type { Store } from '../../../src/ports/store.js'
import type { UsageFilter } from '../../../src/ports/usage.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'

const usage = storeSuite('usage per day')
const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
let database: TestDatabase
let store: Store
let upkeep: UpkeepDatabase
usage.before.each(async (given) => {
  database = given
  store = await given.open()
  upkeep = given.openUpkeep()
})

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const filters: readonly UsageFilter[] = [
  {},
  { isMissingId: true },
  { isMissingId: false },
  { from: dayOf(today - 5 * dayMs) },
  { from: dayOf(today - 6 * dayMs), to: dayOf(today - 2 * dayMs) },
  { to: dayOf(today - dayMs) },
]

/**
 * Reads each group with each filter. On SQLite, where a report starts a thread, reads two filters with a group each: its queries
 * are the same.
 */
async function readAll(): Promise<unknown[]> {
  const pairs = database.isPostgres
    ? usageGroups.flatMap((by) => filters.map((filter) => ({ by, filter })))
    : filters.slice(-2).map((filter, index) => ({ by: usageGroups[index] ?? 'pet', filter }))
  const answers: unknown[] = []
  for (const { by, filter } of pairs) answers.push(await store.sumUsage(by, filter, 1, 100))
  return answers
}

/** Books calls of eight days, up to now, of several pets, users, keys and models. */
async function book(): Promise<void> {
  const rows = Array.from({ length: 120 }, (_, count) => {
    const at = Math.floor(Math.min(Date.now(), today - 7 * dayMs + (count * 8 * dayMs) / 120))
    const missing = count % 7 === 0 ? '["pet_id"]' : count % 11 === 0 ? '["user_id","pet_id"]' : '[]'
    const [pet, user, key] = [`pet-${count % 5}`, `user-${count % 5 === 4 ? 1 : 0}`, `key-${count % 3}`]
    const delivered = count % 4 === 0 ? 0 : 1
    const certain = count % 9 === 0 ? 0 : 1
    return [
      `('r', '${key}', 'e', '${user}', '${pet}', 0, ${at}, '${missing}', 'm${count % 2}')`,
      `('u${count}', 1, 't', '${key}', '${user}', '${pet}', '${missing}', 'm${count % 2}', 'image', 1, ${delivered},
        ${count * 100}, ${certain}, 0, ${at})`,
    ] as const
  })
  await database.query(
    `insert into usage_entries (request_id, key_id, endpoint, user_id, pet_id, missing_id, created_at, missing, model)
      values ${rows.map(([entry]) => entry).join()}`,
  )
  await database.query(
    `insert into usage_ledger (unit_id, attempt, task_id, key_id, user_id, pet_id, missing, model, unit, quantity, delivered,
      cost_micros, certain, maybe_duplicate, created_at) values ${rows.map(([, paid]) => paid).join()}`,
  )
}

const count = async (table: string) =>
  Number((await database.query(`select count(*) as total from ${table}`))[0]?.total)

usage('is reported the same from single records, from sums, and after records were pruned', async () => {
  await book()
  const before = await readAll()
  const until = await sumDays(upkeep.db, upkeep.engine, upkeep.commit, Date.now())
  assert.ok(until > today - 2 * dayMs && until <= today)
  assert.ok((await count('usage_days')) > 50)
  // Nothing is summed twice.
  await sumDays(upkeep.db, upkeep.engine, upkeep.commit, Date.now())
  assert.equal(await readAll(), before)

  const end = today - 4 * dayMs
  const planned = await pruneUsage(upkeep, { before: end, now: Date.now(), dryRun: true })
  assert.is(planned, 90)
  assert.is(await pruneUsage(upkeep, { before: end, now: Date.now(), dryRun: false }), planned)
  assert.equal([await count('usage_entries'), await count('usage_ledger')], [75, 75])
  assert.equal(await readAll(), before)
  // Records of days that are not summed stay.
  await pruneUsage(upkeep, { before: Number.MAX_SAFE_INTEGER, now: Date.now(), dryRun: false })
  assert.ok((await count('usage_entries')) > 0)
  assert.equal(await readAll(), before)
})

usage('is summed once a day by the timers of several processes', async () => {
  await book()
  // A folder is summed by a thread, which test/app/upkeep/cleaner.test.ts runs.
  if (!database.isPostgres) {
    await store.sumPastDays()
    return assert.is(await count('usage_days'), 0)
  }
  const before = await readAll()
  const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(database.address, { mayMoveClock: false })))
  const timers = stores.map((one) => startDailySums(one, 0, assert.unreachable))
  while ((await database.query("select 1 from settings where name = 'usage_summed_until'")).length === 0) await delay(5)
  for (const timer of timers) await timer.close()
  for (const one of stores) await one.close()
  assert.ok((await count('usage_days')) > 50)
  assert.equal(await readAll(), before)
  // A process whose clock tests may move leaves days alone.
  await database.query('delete from usage_days')
  await database.query("delete from settings where name = 'usage_summed_until'")
  await store.sumPastDays()
  assert.is(await count('usage_days'), 0)
})

usage.run()
