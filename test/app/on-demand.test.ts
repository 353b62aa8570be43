// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onDemand } from '../../src/app/clip-loops.js'
import { isSvcError } from '../../src/errors.js'

const demand = suite('on demand')
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  )
  return isSvcError(error) ? error.code : (error as Error | undefined)?.message
}

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
  assert.is(await refusal(thing.get()), 'unavailable')
})

demand('does not create a value only to close it', async () => {
  const thing = onDemand(async () => 'thing')
  await thing.close(async () => assert.unreachable())
})

demand('retries a failed creation', async () => {
  let tries = 0
  const thing = onDemand(async () => {
    tries++
    if (tries === 1) throw new Error('not yet')
    return tries
  })
  assert.is(await refusal(thing.get()), 'not yet')
  assert.is(await thing.get(), 2)
})

demand.run()
