// run: fleet
import { setImmediate } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { forEachObject } from '../../../src/app/upkeep/prune.js'

const objects = suite('work on many stored files')
const numbers = Array.from({ length: 40 }, (_, index) => index)

objects('handles each file once, 16 at once', async () => {
  const [seen, running]: [number[], { now: number; most: number }] = [[], { now: 0, most: 0 }]
  await forEachObject(numbers, async (number) => {
    seen.push(number)
    running.most = Math.max(running.most, ++running.now)
    await setImmediate()
    running.now -= 1
  })
  assert.equal(seen, numbers)
  assert.is(running.most, 16)
})

objects('rejects with the first error after the running calls, and starts no more', async () => {
  let ended = 0
  const work = async (number: number) => {
    await setImmediate()
    ended += 1
    if (number === 0) throw new Error('the bucket is gone')
  }
  const error = await forEachObject(numbers, work).catch((error: unknown) => error)
  assert.match(String(error), 'the bucket is gone')
  assert.ok(ended >= 16 && ended < 40, String(ended))
  const endedThen = ended
  await setImmediate()
  assert.is(ended, endedThen)
})

objects.run()
