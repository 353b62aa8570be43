// run: PostgreSQL, fleet
import * as assert from 'uvu/assert'
import { openSqliteUpkeep } from '../../../src/adapters/sql/sqlite/upkeep-database.js'
import {
  type ErasedOwner,
  erasedName,
  eraseLines,
  eraseRows,
  findTraces,
  forgetOwner,
} from '../../../src/adapters/sql/upkeep/owner-pruner.js'
import type { UpkeepDatabase } from '../../../src/adapters/sql/upkeep/upkeep-database.js'
import { claimPruning } from '../../../src/adapters/sql/upkeep/usage-pruner.js'
import { sumDays } from '../../../src/adapters/sql/usage-days.js'
import { settleTask } from '../../../src/media/status.js'
import { endUnmade } from '../../../src/worker/outcome.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'
import { newAvatar, priceMicros, purchase } from '../../helpers/tasks.js'

const erase = storeSuite('erasing of a pet or a user', { isPooled: true })
const dayMs = 86_400_000
const now = Date.now()
let database: TestDatabase
let upkeep: UpkeepDatabase
erase.before.each((given) => {
  database = given
  upkeep = given.openUpkeep()
})

const pet = (id: string): ErasedOwner => ({ of: 'pet', id, hash: `hmac:${id}` })

/** Books two calls of each pet on each of three days, one of them a health insight, and a paid call. */
async function book(pets: readonly string[]): Promise<void> {
  const days = [now, now - 2 * dayMs, now - 3 * dayMs]
  const each = (render: (pet: string, at: number, id: string) => string) =>
    pets.flatMap((one) => days.map((at, day) => render(one, at, `${one}-${day}`))).join()
  await database.query(`insert into usage_entries (request_id, call_id, key_id, endpoint, user_id, pet_id, missing_id, created_at, model)
    values ${each((one, at, id) => `('r', null, 'key', 'e', 'ann', '${one}', 0, ${at}, 'm'), ('h${id}', null, 'key', 'e', 'hmac:ann', 'hmac:${one}', 0, ${at}, '')`)}`)
  await database.query(`insert into usage_ledger (unit_id, attempt, task_id, key_id, user_id, pet_id, missing, model, unit, quantity,
    delivered, cost_micros, certain, maybe_duplicate, created_at)
    values ${each((one, at, id) => `('${id}', 1, 't', 'key', 'ann', '${one}', '[]', 'm', 'image', 1, 1, 700, 1, 0, ${at})`)}`)
}

const listed = (table: string, columns: string) =>
  database
    .query(`select ${columns} from ${table} group by 1 order by 1`)
    .then((rows) =>
      rows.map((row) => Object.values(row).map((value) => (/^\d+$/.test(String(value)) ? Number(value) : value))),
    )
const readSums = async () => ({
  days: await listed('usage_days', 'summed_by, sum(requests), sum(units), sum(cost)'),
  entries: await listed('usage_entries', 'key_id, count(*)'),
  paid: await listed('usage_ledger', 'key_id, sum(cost_micros), sum(delivered)'),
  spent: await listed('spending', 'owner_kind, sum(micros)'),
})

erase('takes the ID out of usage and budgets, keeps all sums, and does nothing the second time', async () => {
  await book(['rex', 'tom', 'ida'])
  await sumDays(upkeep.db, upkeep.engine, upkeep.commit, now)
  const before = await readSums()
  const planned = await forgetOwner(upkeep, pet('rex'), true)
  assert.is(planned, 9)
  assert.is(await forgetOwner(upkeep, pet('rex'), false), planned)
  // The sums of the second pet are added to those of the first.
  assert.is(await forgetOwner(upkeep, pet('tom'), false), 9)
  assert.is(await forgetOwner(upkeep, pet('tom'), false), 0)
  assert.equal(await readSums(), before)
  for (const { name, textColumns } of await upkeep.listTables()) {
    if (textColumns.length === 0) continue
    const named = textColumns.map(
      (column) => `${column} like '%rex%' and ${column} not like 'hrex%' and ${column} not like 'rex-%'`,
    )
    assert.equal(await database.query(`select * from ${name} where ${named.join(' or ')}`), [], name)
  }
  const store = await database.open()
  const { items } = await store.sumUsage('pet', {}, 1, 10)
  assert.equal(
    items.map(({ petId, requests, costMicros, maybeCostMicros }) => [petId, requests, costMicros, maybeCostMicros]),
    [
      [erasedName, 12, 4200, 0],
      ['ida', 3, 2100, 0],
      ['hmac:ida', 3, 0, 0],
    ],
  )
  const ann: ErasedOwner = { of: 'user', id: 'ann', hash: 'hmac:ann' }
  assert.ok((await forgetOwner(upkeep, ann, false)) > 0)
  assert.equal(await readSums(), before)
  const [user, ...others] = (await store.sumUsage('user', {}, 1, 10)).items
  assert.equal([user?.userId, others], [erasedName, []])
})

erase('deletes cards, selections, archived insights and the lines of the log that name the pet', async () => {
  const calls = ['000000000000000A', '000000000000000B']
  for (const [place, one] of ['rex', 'tom'].entries()) {
    await database.query(`insert into home_insights (id, source, user_id, pet_id, locale, local_date, type, title, body, priority,
      created_at) values ('ins_${one}', 'rules', 'u', '${one}', 'en-US', '2026-11-01', 't', 't', 'b', 1, 1)`)
    await database.query(`insert into selections (id, user_id, pet_id, day, image_id, scene_id, score, matched, created_at)
      values ('sel_${one}', 'u', '${one}', '2026-11-01', 'i', 's', 1, '[]', 1)`)
    await database.query(`insert into insight_archive (insight_id, request_id, call_id, key_id, user_hash, pet_hash, metric, view_window,
      locale, status, rule_id, rule_version, fact_version, summary_hash, generated_at) values ('hdi_${one}', 'r', '${calls[place]}', 'key',
      'hmac:u', 'hmac:${one}', 'bark', 'day', 'en-US', 'normal', 'r', 'v', 'v', 's', 1)`)
  }
  const store = await database.open()
  const task = newAvatar({ owner: { userId: 'u', petId: 'rex', missing: [] } })
  await store.createTask(task, null)
  const path = `/v1/pet-avatars/${task.id.replace('avatar', 'pia')}`
  const named = [{ call_id: calls[0] }, { call_id: task.callId }, { path }, { task_id: task.id, event: 'started' }]
  const lines = [...named, { call_id: calls[1] }, { path: '/v1/models' }].map((members, number) => {
    return { instance: 'i', number, text: JSON.stringify({ time: new Date(now).toISOString(), ...members }) }
  })
  await store.appendLogLines(lines)
  // With SQLite, lines are in a file of their own.
  const log = database.isPostgres ? upkeep : openSqliteUpkeep(database.address.replace('svc.db', 'log.db'))
  const traces = await findTraces(upkeep, pet('rex'))
  for (const dryRun of [true, false]) {
    assert.is(await eraseLines(log, traces, dryRun), 4)
    assert.equal(await eraseRows(upkeep, pet('rex'), dryRun), { home_insights: 1, selections: 1, insight_archive: 1 })
  }
  assert.is(await eraseLines(log, traces, false), 0)
  assert.equal(await eraseRows(upkeep, pet('rex'), false), { home_insights: 0, selections: 0, insight_archive: 0 })
  assert.is((await eraseRows(upkeep, pet('tom'), true)).insight_archive, 1)
  const range = { first: 0, last: Number.MAX_SAFE_INTEGER, newestFirst: false, limit: 10 }
  assert.is((await store.listLogLines({ ...range, kind: 'event' })).length, 2)
  if (!database.isPostgres) await log.close()
})

erase('ends units that another process has leased, and books what they have bought', async () => {
  const store = await database.open()
  const task = newAvatar({ spending: { unitMicros: priceMicros, limits: [] } })
  await store.createTask(task, null)
  const { id: holderId } = await store.openHolder()
  const [ordered, sent] = await store.claimUnits({ holderId, limit: 2, leaseMs: 60_000, slots: { scripted: 2 } })
  assert.ok(ordered && sent)
  for (const { lease } of [ordered, sent]) {
    const begun = { purchase, isOrdered: lease === ordered.lease }
    assert.ok(await store.saveMemo(lease, { failures: {}, memo: { provider: 'sent', begun } }))
  }
  const other = await database.open()
  const ended = await other.endUnits(task.id, endUnmade, (units) => settleTask('avatar', units))
  assert.is(ended.length, 4)
  assert.is((await other.findTask(task.id))?.status, 'failed')
  assert.equal(
    (await other.listLedger(task.id)).map(({ costMicros, certain }) => [costMicros, certain]),
    [
      [priceMicros, true],
      [priceMicros, false],
    ],
  )
  assert.equal(await database.query('select * from reservations'), [])
  assert.equal(await store.renewLeases([ordered.lease, sent.lease], 1000), [])
  assert.ok(await store.isUnitGone(ordered.id))
  assert.equal(await other.endUnits(task.id, endUnmade, (units) => settleTask('avatar', units)), [])
})

erase('lets one of several processes prune on a day', async () => {
  const claims = await Promise.all([1, 2, 3].map(() => claimPruning(upkeep, now)))
  assert.equal(claims.filter(Boolean), [true])
  assert.is(await claimPruning(upkeep, now - dayMs), false)
  assert.is(await claimPruning(upkeep, now + dayMs), true)
})

erase.run()
