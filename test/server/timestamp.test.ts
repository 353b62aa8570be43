import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { toTimestamp } from '../../src/server/timestamp.js'

const timestamp = suite('timestamp')

timestamp('writes each time as it is, also after one that is the same or later', () => {
  const times = [0, 1, 1, 1_760_000_000_123, 1_760_000_000_123, 1]
  assert.equal(
    times.map(toTimestamp),
    times.map((time) => new Date(time).toISOString()),
  )
})

timestamp.run()
