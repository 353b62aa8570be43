// run: PostgreSQL, fleet
import * as assert from 'uvu/assert'
import { createKey, fullSettings } from '../../../src/contract/access.js'
import type { SvcError } from '../../../src/errors.js'
import { setClock } from '../../../src/ports/clock.js'
import type { Spending } from '../../../src/ports/money.js'
import type { UnitOutcome } from '../../../src/ports/queue.js'
import type { Store } from '../../../src/ports/store.js'
import type { NewTask } from '../../../src/ports/tasks.js'
import type { LedgerEntry } from '../../../src/ports/usage.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'
import { newAvatar } from '../../helpers/tasks.js'

const budgets = storeSuite('budgets', { isPooled: true })
let database: TestDatabase
let store: Store
budgets.before.each(async (created) => {
  database = created
  store = await database.open()
})

/** A dollar a day for the key, 10 cents a picture. */
const spending: Spending = { unitMicros: 100_000, limits: [{ of: 'key', micros: 1_000_000, per: 'day' }] }
const onPet: Spending = { ...spending, limits: [{ of: 'pet', micros: 1_000_000, per: 'month' }] }
const task = (units: number, change: Partial<NewTask> = {}) =>
  newAvatar({ units: Array.from({ length: units }, (_, place) => `pose-${place}`), spending, ...change })

const create = (made: NewTask, from: Store = store) => from.createTask(made, 'pet-avatar')
const refusalOf = (work: Promise<void>) => work.then(() => undefined).catch((error: SvcError) => error)
/** Returns the message of a refusal; an empty one if nothing is refused. */
const messageOf = async (made: NewTask) => (await refusalOf(create(made)))?.message ?? ''

const entry: LedgerEntry = {
  ...{ model: 'm', quantity: 1, unit: 'image', costMicros: 100_000, certain: true, maybeDuplicate: false },
}
/** Settles all units with one outcome. */
async function settleAll(outcome: (place: number) => UnitOutcome): Promise<void> {
  const claim = { holderId: 'nobody', limit: 100, leaseMs: 60_000, slots: { scripted: 100 } }
  const units = await store.claimUnits(claim)
  for (const [place, { lease }] of units.entries()) await store.settleUnit(lease, outcome(place), () => 'success')
}
const paid: UnitOutcome = { status: 'success', output: { files: {} }, usage: entry }
const failed: UnitOutcome = { status: 'failed', failure: { code: 'provider_error', message: '' }, usage: null }

budgets('are kept in one row a day, one a month, and one for reservations, by key and by pet', async () => {
  await create(task(2))
  await settleAll(() => paid)
  const rows = await database.query('select * from spending order by owner_kind, starts_at')
  const now = new Date(store.now())
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const day = month + (now.getUTCDate() - 1) * 86_400_000
  assert.equal(
    rows.map(({ owner_kind, starts_at, micros }) => [owner_kind, Number(starts_at), Number(micros)]),
    [
      ['key', 0, 0],
      ['key', day, 200_000],
      ['key month', month, 200_000],
      ['pet', 0, 0],
      ['pet', day, 200_000],
      ['pet month', month, 200_000],
    ],
  )
})

budgets('count reservations: a task that does not fit is refused as a whole, and one that fits created', async () => {
  await create(task(8))
  const { code, message = '', retryAfterSeconds } = (await refusalOf(create(task(3)))) ?? {}
  assert.equal([code, retryAfterSeconds], ['rate_limit_exceeded', 60])
  assert.match(message, 'The budget of this API key is $1.00 a day: $0.00 are spent and $0.80 are kept')
  assert.match(message, 'this request would cost $0.30')
  assert.is(await refusalOf(create(task(2))), undefined)
  assert.is((await refusalOf(create(task(1))))?.code, 'rate_limit_exceeded')
})

budgets('count payments until the clock reaches the next day', async () => {
  await setClock(store, Date.parse('2026-12-24T23:00:00Z'))
  await create(task(10))
  await settleAll(() => paid)
  const { message = '', retryAfterSeconds = 0 } = (await refusalOf(create(task(1)))) ?? {}
  assert.match(message, '$1.00 are spent and $0.00 are kept')
  assert.match(message, 'Try again after 2026-12-25 00:00 UTC')
  assert.ok(retryAfterSeconds >= 1 && retryAfterSeconds <= 3600)
  await store.moveClock((offsetMs) => offsetMs + 3_600_000)
  assert.is(await refusalOf(create(task(10))), undefined)
})

budgets('release the reservations of failed units', async () => {
  await create(task(10))
  await settleAll(() => failed)
  assert.is(await refusalOf(create(task(10))), undefined)
})

budgets('count possible payments, at the expected price if the real one is unknown', async () => {
  await create(task(10))
  await settleAll(() => ({ ...failed, usage: { ...entry, costMicros: 0, certain: false } }))
  assert.match(await messageOf(task(1)), '$1.00 are spent')
  const { items } = await store.sumUsage('key', {}, 1, 10)
  assert.equal([items[0]?.costMicros, items[0]?.maybeCostMicros], [1_000_000, 1_000_000])
})

budgets("tell that a request exceeds a whole window's budget", async () => {
  assert.match(await messageOf(task(11)), 'more than a whole day allows')
})

budgets('of a key do not affect other keys, and of a pet apply to all keys', async () => {
  await create(task(10))
  assert.is(await refusalOf(create(task(10, { keyId: 'key_2' }))), undefined)
  const owner = { userId: 'u', petId: 'other', missing: [] }
  await create(task(10, { owner, keyId: 'key_3', spending: onPet }))
  const refusal = await messageOf(task(1, { owner, keyId: 'key_4', spending: onPet }))
  assert.match(refusal, 'The budget of this pet is $1.00 a month')
})

budgets('are shared by a key, its predecessors and its successors', async () => {
  const now = new Date()
  const old = createKey({ ...fullSettings, name: 'k', admin: false, budget: { micros: 1, per: 'day' } }, now)
  const next = createKey(old.key, now, old.key.id)
  await store.insertKey(old.key)
  await store.replaceKey(old.key.id, now, next.key)
  assert.equal((await store.findKey(next.key.id))?.budget, { micros: 1, per: 'day' })
  await create(task(6, { keyId: old.key.id }))
  assert.is((await refusalOf(create(task(6, { keyId: next.key.id }))))?.code, 'rate_limit_exceeded')
  await create(task(4, { keyId: next.key.id }))
  assert.is((await refusalOf(create(task(1, { keyId: old.key.id }))))?.code, 'rate_limit_exceeded')
})

budgets('ignore reused pictures, and leave no rows of a refused task', async () => {
  await create(task(10))
  await create(task(1, { reused: { files: { image: 'k' } } }))
  const refused = task(1)
  await refusalOf(create(refused))
  assert.is(await store.findTask(refused.id), undefined)
})

budgets('cannot be overspent by many requests at once, from several processes', async () => {
  const stores = [store, await database.open(), await database.open()]
  const refusals = await Promise.all(
    Array.from({ length: 60 }, (_, place) => refusalOf(create(task(1), stores[place % stores.length]))),
  )
  assert.is(refusals.filter((refusal) => refusal === undefined).length, 10)
  assert.equal([...new Set(refusals.map((refusal) => refusal?.code))].sort(), ['rate_limit_exceeded', undefined])
})

budgets.run()
