// run: PostgreSQL, fleet
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { createKey, fullSettings } from '../../../src/contract/access.js'
import { createCountCall } from '../../../src/server/pipeline/rate-limit.js'
import { storeSuite, type TestDatabase } from '../../helpers/stores.js'

const rateLimit = storeSuite('rate limit', { isPooled: true })
let database: TestDatabase
rateLimit.before.each((created) => {
  database = created
})
const start = Date.parse('2026-10-20T08:00:00Z')

/** Returns the most calls accepted in any half-open window of 60 seconds. */
function busiest(times: readonly number[]): number {
  return Math.max(0, ...times.map((time) => times.filter((other) => other >= time && other < time + 60_000).length))
}

rateLimit('never accepts more than the limit in any 60 seconds, over two processes', async () => {
  const stores = [await database.open(), await database.open()]
  const gaps = fc.array(fc.tuple(fc.constantFrom(0, 1, 40, 900, 7000, 31_000), fc.constantFrom(0, 1)), {
    minLength: 30,
    maxLength: 80,
  })
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: 1, max: 12 }), async (calls, limit) => {
      const { key } = createKey({ ...fullSettings, name: 'a', admin: false, rateLimit: limit }, new Date(start))
      const counters = stores.map((store) => createCountCall(store))
      const accepted: number[] = []
      let now = start
      for (const [gap, process] of calls) {
        now += gap
        const count = await counters[process]?.(key, now)
        if (count?.refusal === undefined) accepted.push(now)
        else {
          const recent = accepted.filter((time) => time > now - 60_100).length
          assert.ok(recent >= limit, 'a call was rejected below the limit')
        }
      }
      assert.ok(busiest(accepted) <= limit, `${busiest(accepted)} calls were accepted, the limit is ${limit}`)
    }),
    { numRuns: 12 },
  )
})

rateLimit.onSqlite('grants large limits in blocks, and still accepts exactly the limit', async () => {
  const store = await database.open()
  let queries = 0
  const countCall = createCountCall({
    grantCalls: (request) => {
      queries += 1
      return store.grantCalls(request)
    },
  })
  const { key } = createKey({ ...fullSettings, name: 'a', admin: false, rateLimit: 12_600 }, new Date(start))
  let accepted = 0
  for (let index = 0; index < 13_000; index++) {
    // Two calls a block and a pause: the rest of the block must be returned.
    const count = await countCall(key, start + (index < 1000 ? index * 53 : 53_000))
    if (count.refusal === undefined) accepted += 1
  }
  assert.is(accepted, 12_600)
  assert.ok(queries < 5000, `${queries} queries`)
})

rateLimit('asks again after the clock was set back, and still answers', async () => {
  const store = await database.open()
  const countCall = createCountCall(store)
  const { key } = createKey({ ...fullSettings, name: 'a', admin: false, rateLimit: 1 }, new Date(start))
  const isAccepted = async (now: number) => (await countCall(key, now)).refusal === undefined
  assert.is(await isAccepted(start), true)
  assert.is(await isAccepted(start + 1), false)
  // With the clock set back, these calls may still be in the window.
  assert.is(await isAccepted(start - 30_000), false)
  assert.is(await isAccepted(start - 3_600_000), true)
  assert.is(await isAccepted(start - 3_600_000 + 1), false)
})

rateLimit('never asks to wait longer than a minute', async () => {
  const store = await database.open()
  const countCall = createCountCall(store)
  const { key } = createKey({ ...fullSettings, name: 'a', admin: false, rateLimit: 1 }, new Date(start))
  assert.is((await countCall(key, start + 1)).headers?.['x-ratelimit-reset'], '60')
  assert.is((await countCall(key, start + 2)).refusal?.retryAfter, '60')
})

rateLimit.run()
