// run: takes 8 s, PostgreSQL, fleet
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import type { Reservation } from '../../../src/ports/idempotency.js'
import type { ClaimedUnit, Settle, UnitOutcome } from '../../../src/ports/queue.js'
import type { Store } from '../../../src/ports/store.js'
import type { Task } from '../../../src/ports/tasks.js'
import type { LedgerEntry } from '../../../src/ports/usage.js'
import { bundleProgram } from '../../helpers/child.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'
import { newAnimation, newAvatar, poses } from '../../helpers/tasks.js'
import { codeOf } from '../../helpers/thrown.js'

const tasks = storeSuite('task store', { isPooled: true })
let database: TestDatabase
let store: Store
tasks.before.each(async (created) => {
  database = created
  store = await database.open()
})

const settle: Settle = (units) => (units.every(({ status }) => status === 'success') ? 'success' : 'processing')
const usage: LedgerEntry = {
  model: 'scripted-image',
  quantity: 1,
  unit: 'image',
  costMicros: 100,
  certain: true,
  maybeDuplicate: false,
}
const delivered = (image: string, entry: LedgerEntry | null = usage): UnitOutcome => ({
  status: 'success',
  output: { files: { image } },
  usage: entry,
})

async function claim(from: Store, change: Partial<Parameters<Store['claimUnits']>[0]> = {}): Promise<ClaimedUnit[]> {
  return from.claimUnits({ holderId: 'nobody', limit: 100, leaseMs: 60_000, slots: { scripted: 100 }, ...change })
}

async function getTask(id: string): Promise<Task> {
  const task = await store.findTask(id)
  if (task === undefined) throw new Error('there is no such task')
  return task
}

const statusesOf = (task: Task) => task.units.map(({ status }) => status)

/** Runs all units of a task to success. */
async function finish(id: string): Promise<void> {
  for (const unit of await claim(store)) {
    if (unit.task.id === id) await store.settleUnit(unit.lease, delivered(`${id}/${unit.name}`), settle)
  }
}

const query = (text: string) => database.query(text)

tasks('returns a task as it was created', async () => {
  const task = newAvatar({
    owner: { userId: 'temporary', petId: 'p', missing: ['user_id'] },
    input: [1],
    parentId: 'x',
    units: ['running', 'lying'],
  })
  await store.createTask(task, 'pet-avatar')
  const { callId, deadlineAt, units, ...rest } = task
  assert.equal(await store.findTask(task.id), {
    ...rest,
    status: 'pending',
    units: units.map((name) => ({ name, status: 'pending', output: null, failure: null })),
    updatedAt: task.createdAt,
    finishedAt: null,
  })
  assert.is(await store.findTask('avatar_none'), undefined)
})

tasks('creates the tasks of a group except one whose ID exists and one whose input is not JSON', async () => {
  const all = Array.from({ length: 150 }, () => newAvatar())
  const wrong = [newAvatar({ id: all[0]?.id ?? '' }), newAvatar({ input: 1n })]
  const results = await Promise.allSettled([...all, ...wrong].map((task) => store.createTask(task, 'pet-avatar')))
  const rejected = results.flatMap(({ status }, place) => (status === 'rejected' ? [place] : []))
  assert.equal(rejected, [150, 151])
  assert.equal(await query('select count(*) as count from units'), [{ count: 600 }])
  assert.equal(await query('select count(*) as count from usage_entries'), [{ count: 150 }])
})

tasks('deletes in two steps, and only tasks in deleting', async () => {
  const task = newAnimation('a')
  await store.createTask(task, 'pet-animation')
  assert.is(await store.beginDelete(task.id, ['success', 'failed']), false)
  await store.finishDelete(task.id)
  await store.failDelete(task.id)
  assert.is((await getTask(task.id)).status, 'pending')
  await finish(task.id)
  assert.is((await store.findNewestAnimations(['a'])).size, 1)
  assert.is(await store.beginDelete(task.id, ['success']), true)
  assert.is((await store.findNewestAnimations(['a'])).size, 0)
  assert.is(await store.beginDelete(task.id, ['success']), false)
  await store.failDelete(task.id)
  assert.is((await getTask(task.id)).status, 'delete_failed')
  await store.beginDelete(task.id, ['delete_failed'])
  await store.finishDelete(task.id)
  assert.is(await store.findTask(task.id), undefined)
  assert.equal(await query('select * from units'), [])
  assert.is((await query('select * from usage_ledger')).length, 4)
})

tasks('gives the deletions of a process that is gone to one other, and those of a live one to no process', async () => {
  const [gone, live] = [await database.open(), await database.open()]
  const ids: string[] = []
  for (const from of [gone, live]) {
    const task = newAnimation('a')
    await from.createTask(task, null)
    await from.beginDelete(task.id, ['pending'])
    ids.push(task.id)
  }
  assert.equal(await store.takeDeletions(), [])
  await gone.close()
  const taken = await Promise.all([store, live, await database.open()].map((from) => from.takeDeletions()))
  assert.equal(
    taken.flat().map(({ id, status }) => [id, status]),
    [[ids[0], 'deleting']],
  )
})

tasks('leases units in order, shows their task as processing, and no unit twice', async () => {
  const [first, second] = [newAvatar(), newAvatar()]
  await store.createTask(first, 'pet-avatar')
  await store.createTask(second, 'pet-avatar')
  const units = await claim(store, { limit: 5 })
  const found = units.map(({ id, name, attempt, memo }) => [id, name, attempt, memo])
  const ofFirst = poses.map((pose, place) => [`${first.id}/00${place}`, pose, 1, null])
  assert.equal(found, [...ofFirst, [`${second.id}/000`, 'lying', 1, null]])
  assert.is(units[0]?.task.status, 'processing')
  assert.equal(statusesOf(await getTask(second.id)), ['processing', 'pending', 'pending', 'pending'])
  const deadline = units[0]?.deadlineAt.getTime() ?? 0
  assert.ok(Math.abs(deadline - first.deadlineAt.getTime()) < 5000)
  assert.is((await claim(store)).length, 3)
  assert.is((await claim(store)).length, 0)
})

tasks('limits each provider to its slots, over all processes', async () => {
  const other = await database.open()
  await store.createTask(newAvatar(), 'pet-avatar')
  await store.createTask(newAvatar({ provider: 'second' }), 'pet-avatar')
  assert.is((await claim(store, { slots: { scripted: 3 } })).length, 3)
  assert.is((await claim(other, { slots: { scripted: 3 } })).length, 0)
  assert.is(await other.findNextDueMs(['scripted']), 0)
  const more = await claim(other, { slots: { scripted: 4, second: 1 } })
  assert.is(more.map(({ task }) => task.provider).join(), 'scripted,second')
  assert.is((await claim(other, { slots: { scripted: 9 } })).length, 0)
})

tasks('returns the time at which the next unit of the given providers is due', async () => {
  assert.is(await store.findNextDueMs(['scripted']), undefined)
  await store.createTask(newAvatar({ units: ['lying'] }), 'pet-avatar')
  assert.is(await store.findNextDueMs(['scripted']), 0)
  const wait = (await store.findNextDueMs(['second'])) ?? 0
  assert.ok(wait > 50_000 && wait <= 60_000, `${wait} ms to the deadline`)
  const [unit] = await claim(store, { leaseMs: 5000 })
  const leased = (await store.findNextDueMs(['scripted'])) ?? 0
  assert.ok(leased > 3000 && leased <= 5000, `${leased} ms to the end of the lease`)
  await store.retryUnit(unit?.lease ?? '', { delayMs: 9000, memo: null, usage: null })
  const later = (await store.findNextDueMs(['scripted'])) ?? 0
  assert.ok(later > 7000 && later <= 9000, `${later} ms to the retry`)
  assert.equal(await claim(store), [])
})

tasks('makes the other units due when the first has ended, if they wait for it', async () => {
  const failed: UnitOutcome = { status: 'failed', failure: { code: 'provider_error', message: '' }, usage: null }
  // The units of a holder that is gone are due again.
  const { id: holderId } = await store.openHolder()
  for (const outcome of [delivered('picture'), failed]) {
    const task = newAvatar({ waitsForFirst: true })
    await store.createTask(task, 'pet-avatar')
    const [first, ...early] = await claim(store, { holderId })
    assert.equal([first?.id, early.length], [`${task.id}/000`, 0])
    await store.retryUnit(first?.lease ?? '', { delayMs: 0, memo: null, usage: null })
    const [again, ...none] = await claim(store, { holderId })
    assert.equal([again?.id, none.length], [first?.id, 0])
    await store.settleUnit(again?.lease ?? '', outcome, (units) => settle(units))
    assert.is((await claim(store, { holderId })).length, poses.length - 1)
  }
})

tasks('lets units wait for the first, also if the clock was ahead when they were created', async () => {
  const task = newAvatar({ waitsForFirst: true })
  await store.createTask(task, 'pet-avatar')
  await database.query('update units set run_at = run_at + 500')
  // The first claim of a process shortens the times.
  const other = await database.open()
  const [first, ...others] = await claim(other)
  assert.equal([first?.id, others], [`${task.id}/000`, []])
})

tasks('writes nothing under a lost lease', async () => {
  const [gone, holder] = [await store.openHolder(), await store.openHolder()]
  const task = newAvatar({ units: ['lying'] })
  await store.createTask(task, 'pet-avatar')
  const [lost] = await claim(store, { holderId: gone.id, leaseMs: 0 })
  await gone.close()
  const old = lost?.lease ?? ''
  assert.is(await store.saveMemo(old, { step: 1 }), true)
  const [unit] = await claim(store, { holderId: holder.id })
  assert.is(unit?.attempt, 1)
  assert.equal(unit?.memo, { step: 1 })
  assert.is(await store.saveMemo(old, { step: 2 }), false)
  assert.is(await store.settleUnit(old, delivered('old'), settle), false)
  assert.is(await store.retryUnit(old, { delayMs: 0, memo: null, usage }), false)
  await store.releaseUnits([old])
  assert.equal(await store.renewLeases([old, unit?.lease ?? ''], 60_000), [unit?.lease])
  assert.equal(statusesOf(await getTask(task.id)), ['processing'])
  assert.equal(await query('select * from usage_ledger'), [])
  assert.is(await store.settleUnit(unit?.lease ?? '', delivered('new'), settle), true)
  assert.is(await store.settleUnit(unit?.lease ?? '', delivered('again'), settle), false)
  assert.equal((await getTask(task.id)).units[0]?.output, { files: { image: 'new' } })
  await holder.close()
})

tasks('counts failed attempts, not released or interrupted ones', async () => {
  const task = newAvatar({ units: ['lying'] })
  await store.createTask(task, 'pet-avatar')
  const next = async () => (await claim(store, { leaseMs: 60_000 }))[0]
  const first = await next()
  await store.releaseUnits([first?.lease ?? ''])
  await store.releaseUnits([])
  assert.equal(statusesOf(await getTask(task.id)), ['pending'])
  const second = await next()
  assert.is(second?.attempt, 1)
  await store.retryUnit(second?.lease ?? '', { delayMs: 0, memo: { n: 1 }, usage: { ...usage, certain: false } })
  const third = await next()
  assert.is(third?.attempt, 2)
  assert.equal(third?.memo, { n: 1 })
  await store.settleUnit(third?.lease ?? '', delivered('x', { ...usage, maybeDuplicate: true }), settle)
  assert.equal(await query('select attempt, quantity, delivered, certain, maybe_duplicate from usage_ledger'), [
    { attempt: 2, quantity: 1, delivered: 0, certain: 0, maybe_duplicate: 0 },
    { attempt: 3, quantity: 1, delivered: 1, certain: 1, maybe_duplicate: 1 },
  ])
  const done = await getTask(task.id)
  assert.is(done.status, 'success')
  assert.ok(done.finishedAt)
})

tasks('frees the units of a holder that is gone, not those of a live one', async () => {
  const other = await database.open()
  const [gone, alive] = [await other.openHolder(), await other.openHolder()]
  await store.createTask(newAvatar(), 'pet-avatar')
  await claim(other, { holderId: gone.id, limit: 1 })
  await claim(other, { holderId: alive.id, limit: 3 })
  const me = await store.openHolder()
  assert.equal(await claim(store, { holderId: me.id }), [])
  await gone.close()
  const [freed, ...others] = await claim(store, { holderId: 'another' })
  assert.equal([freed?.name, others], ['lying', []])
  await me.close()
  await alive.close()
})

tasks.onSqlite('refuses a whole group together if the lock is not free in time', async () => {
  const waiting = await openSqliteStore(database.address, { lockWaitMs: 50 })
  const other = new Database(database.address)
  other.exec('begin immediate')
  const created = Array.from({ length: 20 }, () => codeOf(waiting.createTask(newAvatar(), null)))
  await created[0]
  // A retry would succeed from here on.
  other.exec('rollback')
  assert.equal([...new Set(await Promise.all(created))], ['unavailable'])
  other.close()
  await waiting.close()
})

tasks.onSqlite('deletes the files of gone holders when they are old enough', async () => {
  const workers = join(database.folder, 'workers')
  const alive = await store.openHolder()
  const [old, fresh] = [join(workers, 'worker_old'), join(workers, 'worker_fresh')]
  for (const path of [old, fresh]) writeFileSync(path, '')
  for (const path of [old, join(workers, alive.id)]) utimesSync(path, 1, 1)
  const holder = await (await database.open()).openHolder()
  assert.equal(readdirSync(workers).sort(), [alive.id, holder.id, 'worker_fresh'].sort())
  await holder.close()
  assert.is(existsSync(join(workers, holder.id)), false)
  await alive.close()
})

for (const [title, slots, count] of [
  ['no unit twice', 1000, 96],
  ['never more than the slots', 7, 7],
] as const) {
  tasks(`several processes claim ${title}`, async () => {
    const deadlineAt = new Date(Date.now() + 600_000)
    await Promise.all(Array.from({ length: 24 }, () => store.createTask(newAvatar({ deadlineAt }), 'pet-avatar')))
    const start = await bundleProgram('adapters/sql/claimer.ts')
    const claimers = Array.from({ length: 2 }, () => start([database.address, String(slots)]))
    const listClaimed = () => claimers.flatMap(({ lines }) => lines.slice(1).filter((line) => line !== 'empty'))
    while (listClaimed().length < count) await delay(10)
    // Each goes on to claim, without a result. A claim is also empty while another process has the turn.
    const enough = claimers.map(({ lines }) => lines.length + 5)
    while (claimers.some(({ lines }, index) => lines.length < (enough[index] ?? 0))) await delay(10)
    for (const claimer of claimers) claimer.process.kill('SIGKILL')
    await Promise.all(claimers.map(({ ended }) => ended))
    const ids = listClaimed()
    assert.equal([ids.length, new Set(ids).size], [count, count])
    while (await store.hasOtherHolders()) await delay(10)
    // All holders are gone, so all units are free, long before their leases end: as soon as the server has ended the sessions.
    const holder = await store.openHolder()
    const all: ClaimedUnit[] = []
    while (all.length < 96) all.push(...(await claim(store, { slots: { scripted: 1000 }, holderId: holder.id })))
    assert.is(new Set(all.map(({ id }) => id)).size, 96)
    assert.ok(all.every(({ attempt }) => attempt === 1))
    await holder.close()
  })
}

tasks('sums up many rows without blocking other calls', async () => {
  await query(`
    with recursive numbers(number) as (select 0 union all select number + 1 from numbers where number < 49999)
    insert into usage_entries (request_id, key_id, endpoint, user_id, pet_id, missing_id, created_at)
    select 'req_' || number, 'key_1', 'health', 'u' || (number % 5000), 'p' || (number % 5000), 0, number from numbers`)
  let turns = 0
  const turn = setInterval(() => turns++, 1)
  const { total, items } = await store.sumUsage('pet', {}, 1, 100)
  clearInterval(turn)
  assert.equal([total, items.length, items[0]?.requests], [5000, 100, 10])
  assert.ok(turns > 2, `${turns} turns of the event loop`)
})

tasks('merges feedback field by field', async () => {
  const [objectKey, other] = await makePoseImages()
  for (const said of [{ liked: true }, { selected: true }, { liked: false }])
    assert.equal(await store.saveFeedback([{ objectKey, ...said }], new Date()), [])
  assert.equal(await store.listFeedback([objectKey, other]), [{ objectKey, liked: false, selected: true }])
})

tasks('saves no feedback of a call with unknown keys, and all of the other calls', async () => {
  const [key, other] = await makePoseImages()
  const like = (...keys: string[]) => {
    const records = keys.map((objectKey) => ({ objectKey, liked: true }))
    return store.saveFeedback(records, new Date())
  }
  const results = await Promise.all([like('none', key, 'nothing'), ...Array.from({ length: 200 }, () => like(other))])
  assert.equal(results[0], ['none', 'nothing'])
  assert.is(results.flat().length, 2)
  assert.equal(await store.listFeedback([key, other]), [{ objectKey: other, liked: true }])
})

async function makePoseImages(): Promise<[string, string]> {
  const task = newAvatar({ units: ['lying', 'sitting'] })
  await store.createTask(task, 'pet-avatar')
  await finish(task.id)
  return [`${task.id}/lying`, `${task.id}/sitting`]
}

const start = new Date('2026-10-20T08:00:00Z')
const after = (ms: number) => new Date(start.getTime() + ms)
const begin = (from: Store, fingerprint = 'f', at = start) =>
  from.beginIdempotent('key', fingerprint, at, 1000, 86_400_000)

async function reserve(from: Store, fingerprint = 'f', at = start): Promise<Reservation> {
  const found = await begin(from, fingerprint, at)
  if (found.state !== 'begun') throw new Error(`it is ${found.state}`)
  return found.reservation
}

tasks('keeps one answer per idempotency key until it expires', async () => {
  const first = await reserve(store)
  assert.equal(await begin(store, 'other'), { state: 'in_flight' })
  await store.cancelReservation(first)
  const reservation = await reserve(store, 'other')
  const body = { task_id: 'x' }
  await store.createTask(newAvatar(), 'pet-avatar', { reservation, body })
  await store.cancelReservation(reservation)
  assert.equal(await begin(store, 'other', after(2000)), { state: 'answered', body })
  assert.equal(await begin(store, 'f', after(2000)), { state: 'other_request' })
  assert.is((await begin(store, 'f', after(86_400_000))).state, 'begun')
})

tasks('frees the idempotency key of a crash, and lets only its new holder end it', async () => {
  const late = await reserve(store)
  assert.equal(await begin(store, 'f', after(999)), { state: 'in_flight' })
  const holder = await reserve(store, 'other', after(1000))
  const create = (reservation: Reservation, body: unknown) =>
    codeOf(store.createTask(newAvatar(), 'pet-avatar', { reservation, body }))
  assert.is(await create(late, 1), 'conflict')
  await store.cancelReservation(late)
  assert.equal(await begin(store, 'f', after(1500)), { state: 'in_flight' })
  assert.is(await create(holder, 2), 'done')
  assert.equal(await begin(store, 'other', after(1500)), { state: 'answered', body: 2 })
  assert.is(await create(holder, 3), 'conflict')
  assert.equal(await query('select count(*) as count from tasks'), [{ count: 1 }])
})

tasks('frees the idempotency key of a gone process immediately', async () => {
  const other = await database.open()
  assert.is((await begin(other)).state, 'begun')
  assert.equal(await begin(store), { state: 'in_flight' })
  await other.close()
  assert.is((await begin(store, 'f', after(1))).state, 'begun')
  assert.equal(await begin(store, 'f', after(2)), { state: 'in_flight' })
})

tasks('lets only one of several concurrent requests begin, over all processes', async () => {
  const other = await database.open()
  const states = await Promise.all(Array.from({ length: 10 }, (_, index) => begin(index % 2 === 0 ? store : other)))
  assert.is(states.filter(({ state }) => state === 'begun').length, 1)
  assert.is(states.filter(({ state }) => state === 'in_flight').length, 9)
})

tasks('deletes expired idempotency keys soon after the first key of a process', async () => {
  for (let index = 0; index < 300; index++) await store.beginIdempotent(`k${index}`, 'f', start, 1, 1)
  const other = await database.open()
  for (const key of ['a', 'b', 'c']) await other.beginIdempotent(key, 'f', after(10), 1000, 1000)
  while ((await query('select key from idempotency_keys')).length > 3) await delay(5)
  assert.equal(await query('select key from idempotency_keys order by key'), [{ key: 'a' }, { key: 'b' }, { key: 'c' }])
})

tasks.onSqlite('makes units due at once after the clock was set back, under work and before a start', async () => {
  const hour = 3_600_000
  let time = Date.now()
  const now = () => time
  const setBack = () => {
    time -= hour
  }
  const clocked = await openSqliteStore(database.address, { now })
  const count = async (from: Store) => (await claim(from)).length
  await clocked.createTask(newAvatar({ units: ['running', 'lying'] }), null)
  const [failed, kept] = await claim(clocked)
  await clocked.retryUnit(failed?.lease ?? '', { delayMs: 5000, memo: null, usage: null })
  await clocked.createTask(newAvatar({ units: ['running'] }), null)
  setBack()
  await clocked.createTask(newAvatar({ units: ['running'] }), null)
  assert.is(await count(clocked), 3)
  // The lease of the unit in work ends as soon as it would have with the former time.
  time += 60_001
  assert.ok((await claim(clocked, { holderId: 'another' })).some(({ id }) => id === kept?.id))

  await clocked.createTask(newAvatar({ units: ['running'] }), null)
  setBack()
  const restarted = await openSqliteStore(database.address, { now })
  assert.is((await claim(restarted, { holderId: 'another' })).length, 1)
  await restarted.close()
  await clocked.close()
})

tasks.run()
