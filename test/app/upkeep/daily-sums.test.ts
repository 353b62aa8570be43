import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startDailySums } from '../../../src/app/upkeep/cleaner.js'
import { SvcError } from '../../../src/errors.js'

const dailySums = suite('daily sums')

dailySums('report the first of several failures, and the next success', async () => {
  const said: string[] = []
  const outcomes = [false, false, true, true, false, false]
  const sumPastDays = async () => {
    if (outcomes.shift() !== true) throw new SvcError('unavailable', 'The database does not answer.')
  }
  const sums = startDailySums({ sumPastDays }, 0, (message) => said.push(message), 1)
  while (outcomes.length > 0) await new Promise(setImmediate)
  await sums.close()
  const [first = '', second, third] = said
  assert.match(first, /^Usage was not summed per day, .* Reason: The database does not answer\.$/)
  assert.equal([second, third, said.length], ['Usage is summed per day again.', first, 3])
})

dailySums.run()
