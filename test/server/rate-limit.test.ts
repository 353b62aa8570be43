import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createKey, fullSettings } from '../../src/access.js'
import { openSqliteStore } from '../../src/adapters/sql/store.js'
import { createCountCall } from '../../src/server/rate-limit.js'
import { makeFolder } from '../helpers/app.js'

const rateLimit = suite('rate limit')
const start = Date.parse('2026-10-20T08:00:00Z')

/** The most calls accepted in any 60 seconds, both ends included on one side. */
function busiest(times: readonly number[]): number {
  return Math.max(0, ...times.map((time) => times.filter((other) => other >= time && other < time + 60_000).length))
}

rateLimit('never lets more than the limit through in any 60 seconds, over two processes', async () => {
  const folder = makeFolder()
  const stores = [await openSqliteStore(`${folder.path}/svc.db`), await openSqliteStore(`${folder.path}/svc.db`)]
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
          assert.ok(recent >= limit, 'a call was refused though the limit was not reached')
        }
      }
      assert.ok(busiest(accepted) <= limit, `${busiest(accepted)} calls were accepted, the limit is ${limit}`)
    }),
    { numRuns: 40 },
  )
  for (const store of stores) await store.close()
  folder.remove()
})

rateLimit('takes large limits in blocks, and still accepts all of them and no more', async () => {
  const folder = makeFolder()
  const store = await openSqliteStore(`${folder.path}/svc.db`)
  let questions = 0
  const countCall = createCountCall({
    grantCalls: (request) => {
      questions += 1
      return store.grantCalls(request)
    },
  })
  const { key } = createKey({ ...fullSettings, name: 'a', admin: false, rateLimit: 30_000 }, new Date(start))
  let accepted = 0
  for (let index = 0; index < 30_500; index++) {
    // Two calls a block and a pause: the rest of the block has to be given back.
    const count = await countCall(key, start + (index < 1000 ? index * 53 : 53_000))
    if (count.refusal === undefined) accepted += 1
  }
  assert.is(accepted, 30_000)
  assert.ok(questions < 7500, `${questions} questions`)
  await store.close()
  folder.remove()
})

rateLimit('asks anew when the clock was set back, and still answers', async () => {
  const folder = makeFolder()
  const store = await openSqliteStore(`${folder.path}/svc.db`)
  const countCall = createCountCall(store)
  const { key } = createKey({ ...fullSettings, name: 'a', admin: false, rateLimit: 1 }, new Date(start))
  const isAccepted = async (now: number) => (await countCall(key, now)).refusal === undefined
  assert.is(await isAccepted(start), true)
  assert.is(await isAccepted(start + 1), false)
  // These calls are still in the window of the clock as it is now, or might be.
  assert.is(await isAccepted(start - 30_000), false)
  assert.is(await isAccepted(start - 3_600_000), true)
  assert.is(await isAccepted(start - 3_600_000 + 1), false)
  await store.close()
  folder.remove()
})

rateLimit('never says to wait longer than a minute', async () => {
  const folder = makeFolder()
  const store = await openSqliteStore(`${folder.path}/svc.db`)
  const countCall = createCountCall(store)
  const { key } = createKey({ ...fullSettings, name: 'a', admin: false, rateLimit: 1 }, new Date(start))
  assert.is((await countCall(key, start + 1)).headers?.['x-ratelimit-reset'], '60')
  assert.is((await countCall(key, start + 2)).refusal?.retryAfter, '60')
  await store.close()
  folder.remove()
})

rateLimit.run()
