// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onDemand } from '../../src/app/clip-loops.js'
import { SvcError } from '../../src/errors.js'
import { refusalOf } from '../helpers/refusal.js'

const demand = suite('on demand')

demand('creates a value once, on first use, and closes it', async () => {
  const events: string[] = []
  const thing = onDemand(async () => {
    events.push('made')
    return 'thing'
  })
  assert.equal(events, [])
  assert.equal(await Promise.all([thing.get(), thing.get()]), ['thing', 'thing'])
  await thing.close(async (made) => void events.push(`closed ${made}`))
  assert.equal(events, ['made', 'closed thing'])
  assert.match(await refusalOf(thing.get), 'The service is stopping')
})

demand('does not create a value only to close it', async () => {
  const thing = onDemand(async () => 'thing')
  await thing.close(async () => assert.unreachable())
})

demand('retries a failed creation', async () => {
  let tries = 0
  const thing = onDemand(async () => {
    tries++
    if (tries === 1) throw new SvcError('unavailable', 'Not yet.')
    return tries
  })
  assert.is(await refusalOf(thing.get), 'Not yet.')
  assert.is(await thing.get(), 2)
})

demand.run()
