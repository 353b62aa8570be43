import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { TaskEntry } from '../../src/log.js'
import { ProviderError, type WireOutcome } from '../../src/ports/provider.js'
import { createBreaker } from '../../src/worker/breaker.js'
import { buildCall, buildPictureRequest, makePhoto } from '../helpers/provider-calls.js'
import { createScriptedProvider, type Step } from '../helpers/tasks.js'

const breakers = suite('breaker')
const photo = await makePhoto()
const down: Step = { wire: 'not_sent' }
const refusedKey: Step = { fault: toError('provider_unauthorized', 'refused') }

function toError(code: string, wire: WireOutcome): ProviderError {
  return new ProviderError(code, 'It failed.', { wire, retryable: false })
}

/** A breaker before a provider that does what `script` says, call by call, and whatever it logged. */
function open(script: readonly Step[]) {
  const clock = { now: 0 }
  const events: unknown[] = []
  const log = { write: ({ event, delay_ms }: TaskEntry) => void events.push(delay_ms ? [event, delay_ms] : event) }
  const breaker = createBreaker(createScriptedProvider({ sitting: script }), log as never, () => clock.now)
  const call = (signal = new AbortController().signal) =>
    breaker.provider.generatePicture(buildPictureRequest(photo), buildCall({ signal })).catch((error) => error)
  const callTimes = async (times: number) => {
    for (let count = 0; count < times; count++) await call()
  }
  return { breaker, clock, events, call, callTimes }
}

breakers('opens after five failures in a row, and lets one try after half a minute', async () => {
  const { breaker, clock, events, callTimes } = open([down, down, down, down, down])
  await callTimes(4)
  assert.is(breaker.slots(), 4)
  await callTimes(1)
  assert.is(breaker.slots(), 0)
  clock.now = 29_999
  assert.is(breaker.slots(), 0)
  clock.now = 30_000
  assert.is(breaker.slots(), 1)
  assert.is(breaker.slots(), 1)
  await callTimes(1)
  assert.is(breaker.slots(), 4)
  assert.equal(events, [['breaker_opened', 30_000], 'breaker_half_open', 'breaker_closed'])
})

breakers('stays open twice as long each time the try fails, ten minutes at most', async () => {
  const { breaker, clock, events, callTimes } = open(Array.from({ length: 20 }, () => down))
  await callTimes(5)
  for (const expected of [60_000, 120_000, 240_000, 480_000, 600_000, 600_000]) {
    clock.now += 600_000
    breaker.slots()
    await callTimes(1)
    assert.equal(events.at(-1), ['breaker_opened', expected])
  }
})

breakers('does not open where the service answers: refusals of content, limits, successes between', async () => {
  const answers: Step[] = [
    { fault: toError('content_refused', 'refused') },
    { wire: 'rate_limited' },
    { fault: toError('provider_error', 'refused') },
  ]
  const { breaker, callTimes } = open([...answers, ...answers, ...answers, down, down, down, down, { deliver: 'all' }])
  await callTimes(30)
  assert.is(breaker.slots(), 4)
})

breakers('opens sooner where the key is refused, and says so', async () => {
  const { breaker, clock, callTimes } = open([refusedKey, refusedKey, refusedKey])
  await callTimes(2)
  assert.not(breaker.isRefused())
  await callTimes(1)
  assert.ok(breaker.isRefused())
  clock.now = 30_000
  assert.not(breaker.isRefused(), 'whoever comes now is the one to try')
})

breakers('learns nothing from calls that were stopped from outside', async () => {
  const { breaker, call } = open(Array.from({ length: 9 }, (): Step => ({ hang: 'ambiguous' })))
  for (let count = 0; count < 9; count++) {
    const controller = new AbortController()
    const stopped = call(controller.signal)
    controller.abort('lost')
    await stopped
  }
  assert.is(breaker.slots(), 4)
})

breakers('is not opened further by calls that began before it opened', async () => {
  const { events, callTimes } = open(Array.from({ length: 9 }, () => down))
  await callTimes(9)
  assert.equal(events, [['breaker_opened', 30_000]])
})

breakers.run()
