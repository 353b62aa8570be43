import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { WireOutcome } from '../../src/ports/provider.js'
import type { UnitKind } from '../../src/ports/tasks.js'
import { type FailureCounts, findRetryDelayMs } from '../../src/worker/retry.js'

const retry = suite('retry policy')

/** Returns the delays of all retries. */
function listDelays(kind: UnitKind, wire: WireOutcome, retryAfterMs?: number): number[] {
  const delays: number[] = []
  for (let earlier = 0; ; earlier++) {
    const delayMs = findRetryDelayMs(kind, { wire, retryable: true, retryAfterMs }, { [wire]: earlier })
    if (delayMs === undefined) return delays
    delays.push(delayMs)
  }
}

for (const [kind, wire, delays] of [
  ['avatar', 'not_sent', [1000, 2000, 4000, 8000, 16_000, 32_000]],
  ['animation', 'not_sent', [1000, 2000, 4000, 8000, 16_000, 32_000]],
  ['animation', 'refused', [2000, 4000, 8000]],
  ['avatar', 'ambiguous', [2000]],
  ['diary', 'ambiguous', [2000]],
  ['animation', 'ambiguous', []],
] as const) {
  retry(`${kind}, ${wire}: waits ${delays.join(', ') || 'never'}`, () => {
    assert.equal(listDelays(kind, wire), delays)
  })
}

retry('waits for the time of a rate limit, twenty times, or a minute at most if it names no time', () => {
  assert.equal(listDelays('avatar', 'rate_limited', 77_000), Array(20).fill(77_000))
  assert.is(Math.max(...listDelays('animation', 'rate_limited')), 60_000)
})

retry('waits at least its own backoff if a rate limit asks for less', () => {
  for (const askedMs of [0, 77])
    assert.equal(listDelays('avatar', 'rate_limited', askedMs), listDelays('avatar', 'rate_limited'))
})

retry('polls an order without limit, at least every minute', () => {
  const failure = { wire: 'ordered', retryable: true } as const
  const delays = [0, 1, 5, 2000].map((ordered) => findRetryDelayMs('animation', failure, { ordered }))
  assert.equal(delays, [2000, 4000, 60_000, 60_000])
})

retry('counts each kind of failure separately', () => {
  const earlier: FailureCounts = { rate_limited: 9, ambiguous: 1 }
  assert.is(findRetryDelayMs('avatar', { wire: 'not_sent', retryable: true }, earlier), 1000)
})

retry.run()
