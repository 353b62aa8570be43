// run: PostgreSQL
import * as assert from 'uvu/assert'
import type { RequestEntry, TaskEntry } from '../../src/log/request-log.js'
import { ProviderError, type WireOutcome } from '../../src/ports/provider.js'
import type { Store } from '../../src/ports/store.js'
import { watchProvider } from '../../src/worker/breaker.js'
import { buildCall, buildPictureRequest } from '../helpers/provider-calls.js'
import { storeSuite, type TestDatabase } from '../helpers/stores.js'
import { createScriptedProvider, newAvatar, type Step } from '../helpers/tasks.js'

const breakers = storeSuite('breaker')
let database: TestDatabase
let store: Store
let events: unknown[]
breakers.before.each(async (created) => {
  database = created
  store = await database.open()
  events = []
})

const photo = { bytes: Uint8Array.of(1), contentType: 'image/jpeg' } as const
const down: Step = { wire: 'not_sent' }
const refusedKey: Step = { fault: toError('provider_unauthorized', 'refused') }

function toError(code: string, wire: WireOutcome): ProviderError {
  return new ProviderError(code, 'It failed.', { wire, retryable: false })
}

/** Calls a watched provider that follows `script`, call by call. */
async function watch(script: readonly Step[]) {
  const write = (entry: RequestEntry | TaskEntry) => {
    if ('event' in entry) events.push(entry.delay_ms === undefined ? entry.event : [entry.event, entry.delay_ms])
  }
  const provider = watchProvider(createScriptedProvider({ sitting: script }), store, { write })
  const call = (signal = new AbortController().signal) =>
    provider.generatePicture(buildPictureRequest(photo), buildCall({ signal })).catch((error: unknown) => error)
  return {
    call,
    async callTimes(times: number) {
      for (let count = 0; count < times; count++) await call()
    },
  }
}

/** Returns how many of eight queued units can be claimed. */
async function countClaimed(): Promise<number> {
  const claim = { holderId: 'nobody', limit: 100, leaseMs: 60_000, slots: { scripted: 4 } }
  const units = await store.claimUnits(claim)
  await store.releaseUnits(units.map(({ lease }) => lease))
  return units.length
}
const createUnits = () => store.createTask(newAvatar({ units: Array.from({ length: 8 }, (_, at) => `${at}`) }), null)

/** Moves the times of breakers into the past, as if they had been open long enough. */
async function waitTillOver(): Promise<void> {
  await database.query('update breakers set open_until = 1')
}

breakers('opens after five consecutive failures, then allows one trial, and closes when that succeeds', async () => {
  await createUnits()
  const { callTimes } = await watch([down, down, down, down, down])
  await callTimes(4)
  assert.is(await countClaimed(), 4)
  await callTimes(1)
  assert.is(await countClaimed(), 0)
  await waitTillOver()
  assert.is(await countClaimed(), 1)
  await callTimes(1)
  assert.is(await countClaimed(), 4)
  assert.equal(events, [['breaker_opened', 30_000], 'breaker_closed'])
})

breakers('allows one trial in addition to a unit that was claimed before', async () => {
  await createUnits()
  const claim = { holderId: 'nobody', leaseMs: 60_000, slots: { scripted: 4 } }
  const [long] = await store.claimUnits({ ...claim, limit: 1 })
  await (await watch([down, down, down, down, down])).callTimes(5)
  await waitTillOver()
  // The unit was claimed before the breaker opened; that time is moved, so the time of its claim is moved too.
  await database.query('update units set claimed_at = 0')
  const tries = await store.claimUnits({ ...claim, limit: 100 })
  assert.is(tries.length, 1)
  assert.is((await store.claimUnits({ ...claim, limit: 100 })).length, 0)
  await store.releaseUnits([long, ...tries].map((unit) => unit?.lease ?? ''))
})

breakers('doubles its time after each failed trial, up to ten minutes', async () => {
  const { callTimes } = await watch(Array.from({ length: 20 }, () => down))
  await callTimes(5)
  for (const expected of [60_000, 120_000, 240_000, 480_000, 600_000, 600_000]) {
    await waitTillOver()
    await callTimes(1)
    assert.equal(events.at(-1), ['breaker_opened', expected])
  }
})

breakers("is shared by all processes: the failed trial may be another's", async () => {
  await createUnits()
  await (await watch(Array.from({ length: 5 }, () => down))).callTimes(5)
  const other = await watch([down])
  assert.is(await countClaimed(), 0)
  await waitTillOver()
  await other.callTimes(1)
  assert.equal(events, [
    ['breaker_opened', 30_000],
    ['breaker_opened', 60_000],
  ])
  await waitTillOver()
  await other.callTimes(1)
  assert.is(events.at(-1), 'breaker_closed')
})

breakers('opens once if calls of several processes fail at the same time', async () => {
  const stores = [store, await database.open(), await database.open()]
  const fail = (from: Store) => from.failBreaker('scripted', 'down', true)
  const delays = await Promise.all([...stores, ...stores].map(fail))
  assert.is(delays.filter((delayMs) => delayMs !== undefined).join(), '30000')
})

/** Calls after which the service works. */
const harmless: readonly (readonly [string, readonly Step[]])[] = [
  ['content is refused', [{ fault: toError('content_refused', 'refused') }]],
  ['the rate is limited', [{ wire: 'rate_limited' }]],
  ['a call is refused', [{ fault: toError('provider_error', 'refused') }]],
  ['a call succeeds in between', [down, down, down, down, { deliver: 'all' }]],
  ['the answer to a call of an earlier process is lost', [{ wire: 'ambiguous', unasked: true }]],
  ['no time is left to ask', [{ wire: 'not_sent', code: 'timed_out', retryable: false, unasked: true }]],
  ['the model was closed', [{ wire: 'not_sent', unasked: true }]],
  ['content is refused and charged', [{ wire: 'ambiguous', code: 'content_refused', retryable: false }]],
  ['an answer is not usable', [{ wire: 'ambiguous', retryable: false }]],
  ['an order is not ready', [{ wire: 'ordered' }]],
]
breakers('does not open while the service works', async () => {
  for (const [what, steps] of harmless) {
    const script = Array.from({ length: 9 }, () => steps).flat()
    await (await watch(script)).callTimes(script.length)
    assert.equal(events, [], what)
  }
})

breakers('is not closed by a unit that sends nothing', async () => {
  const unasked: Step = { wire: 'ambiguous', unasked: true }
  const { callTimes } = await watch([down, down, down, down, down, unasked, { deliver: 'all' }])
  await callTimes(5)
  await waitTillOver()
  await callTimes(1)
  assert.equal(events, [['breaker_opened', 30_000]])
  await callTimes(1)
  assert.is(events.at(-1), 'breaker_closed')
})

breakers('opens after fewer failures if the key is refused, and logs it', async () => {
  const { callTimes } = await watch([refusedKey, refusedKey, refusedKey])
  await callTimes(2)
  assert.is(await store.findTrouble('scripted'), undefined)
  await callTimes(1)
  assert.is(await store.findTrouble('scripted'), 'refused')
  await waitTillOver()
  assert.is(await store.findTrouble('scripted'), undefined, 'the next caller is the one that tries')
})

breakers('ignores calls that were stopped from outside', async () => {
  const { call } = await watch(Array.from({ length: 9 }, (): Step => ({ hang: 'ambiguous' })))
  for (let count = 0; count < 9; count++) {
    const controller = new AbortController()
    const stopped = call(controller.signal)
    controller.abort('lost')
    await stopped
  }
  assert.equal(events, [])
})

breakers('is not prolonged by calls that began before it opened', async () => {
  const { callTimes } = await watch(Array.from({ length: 9 }, () => down))
  await callTimes(9)
  assert.equal(events, [['breaker_opened', 30_000]])
})

breakers.run()
