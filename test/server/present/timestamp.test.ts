import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { toTimestamp } from '../../../src/text/time.js'

const timestamp = suite('timestamp')

timestamp('formats each time, also after an equal or later one', () => {
  const times = [0, 1, 1, 1_760_000_000_123, 1_760_000_000_123, 1]
  assert.equal(
    times.map(toTimestamp),
    times.map((time) => new Date(time).toISOString()),
  )
})

timestamp.run()
