// run: PostgreSQL, fleet
import { setTimeout as delay } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { fleetSecret } from '../helpers/fleet.js'
import { type Json, type MediaApp, makeForm, startMediaApp } from '../helpers/media.js'
import { storeSuite, type TestDatabase } from '../helpers/stores.js'

const clock = storeSuite('the clock of a service')
const hour = 3600
let database: TestDatabase
let app: MediaApp | undefined
clock.before.each((created) => {
  database = created
})
clock.after.each(async () => {
  await app?.close()
  app = undefined
})

/** Starts the app on the database of the test. */
async function start(variables: Record<string, string> = {}): Promise<MediaApp> {
  const { address, folder } = database
  const shared = { SVC_DATABASE: address, SVC_SECRET: fleetSecret }
  app = await startMediaApp({ ...(address.startsWith('postgres') ? shared : {}), ...variables }, folder)
  return app
}
const advance = (service: MediaApp, seconds: number) => service.moveClock({ advance_seconds: seconds })
const bearer = ({ text }: { text: string }) => ({ authorization: `Bearer ${text}` })

clock('is shown and moved by a key that was made with --admin', async () => {
  const service = await start()
  const { body } = await service.send('GET', '/_svc/clock')
  assert.equal([body.now, body.offset_seconds], [body.real_time, 0])
  const moved = await service.send('POST', '/_svc/clock', { advance_seconds: 25 * hour })
  assert.equal([moved.status, moved.body.offset_seconds], [200, 25 * hour])
  assert.is(Date.parse(moved.body.now) - Date.parse(moved.body.real_time), 25 * hour * 1000)
  const set = await service.send('POST', '/_svc/clock', { time: '2026-12-24T10:00:00+01:00' })
  assert.match(set.body.now, /^2026-12-24T09:0/)
  assert.is((await service.send('POST', '/_svc/clock', { reset: true })).body.offset_seconds, 0)
  const other = await service.createKey()
  for (const method of ['GET', 'POST']) {
    const { status } = await service.send(method, '/_svc/clock', method === 'POST' ? {} : undefined, bearer(other))
    assert.is(status, 403)
  }
})

const invalid: readonly (readonly [string, Json, RegExp])[] = [
  ['no change', {}, /exactly one of `advance_seconds`, `time` and `reset`/],
  ['two changes', { advance_seconds: 1, reset: true }, /exactly one/],
  ['a step of nothing', { advance_seconds: 0 }, /`advance_seconds` must be/],
  ['a step to the next century', { advance_seconds: 3_200_000_000 }, /`advance_seconds` must lead to a time from/],
  ['a time without a year', { time: 'tomorrow' }, /`time` must be/],
  ['a time of another century', { time: '1999-12-31T00:00:00Z' }, /`time` must lead to a time from the year 2000/],
]
clock('refuses changes that say no time, and names the field', async () => {
  const service = await start()
  for (const [what, change, message] of invalid) {
    const { status, body } = await service.send('POST', '/_svc/clock', change)
    assert.is(status, 422, what)
    assert.match(body.error.message, message, what)
  }
  assert.is((await service.send('GET', '/_svc/clock')).body.offset_seconds, 0)
})

clock('lets the deadline of a task pass', async () => {
  const service = await start({ SVC_STUB_DELAY_MS: '600000' })
  const id = await service.createAvatar({ pose: 'lying' })
  const read = async () => (await service.send('GET', `/v1/pet-avatar/tasks/${id}`)).body
  while ((await read()).status !== 'processing') await delay(20)
  await advance(service, 25 * hour)
  while ((await read()).status === 'processing') await delay(20)
  const { status, images } = await read()
  assert.equal([status, images.lying.error_code], ['failed', 'timed_out'])
})

clock('moves all that a caller sees: repeated calls, addresses, rates, keys, dates and days', async () => {
  const service = await start()
  const post = async () => {
    const headers = { 'idempotency-key': 'once' }
    const { body } = await service.send('POST', '/v1/pet-avatar/generate', await makeForm({ pose: 'lying' }), headers)
    return body.task_id
  }
  const first = await post()
  await service.idle()
  const urlOf = async () => (await service.send('GET', `/v1/pet-avatar/tasks/${first}`)).body.images.lying.generated_url
  const url = await urlOf()
  await advance(service, 23 * hour)
  assert.is(await post(), first)
  assert.is((await service.open(url)).status, 200)
  // An answer is kept for a day; an address is valid for a day and up to an hour.
  await advance(service, hour)
  assert.is.not(await post(), first)
  await advance(service, 2 * hour)
  assert.is((await service.open(url)).status, 403)
  assert.is((await service.open(await urlOf())).status, 200)

  const { now } = (await service.send('GET', '/_svc/clock')).body
  const key = await service.createKey({ rateLimit: 1, expiresAt: new Date(Date.parse(now) + hour * 1000) })
  const call = async () => (await service.send('GET', '/v1/models', undefined, bearer(key))).status
  assert.equal([await call(), await call()], [200, 429])
  await advance(service, 61)
  assert.equal([await call(), await call()], [200, 429])
  await advance(service, hour)
  assert.is(await call(), 401)

  await service.moveClock({ time: '2027-12-24T09:00:00Z' })
  const { body } = await service.send('POST', '/v1/home-insights/generate', { user_id: 'u', pet_id: 'p' })
  assert.is(body.date, '2027-12-24')
  const { entries } = (await service.send('GET', '/_svc/usage?by=day')).body
  assert.ok(entries.some(({ day }: Json) => day === '2027-12-24'))
})

clock('is refused in production', async () => {
  const production = await start({ SVC_ENV: 'production' })
  for (const [method, change] of [['GET'], ['POST', { advance_seconds: 1 }]] as const) {
    const { status, body } = await production.send(method, '/_svc/clock', change)
    assert.is(status, 403)
    assert.match(body.error.message, 'only the environment test can move it')
  }
})

clock.run()
