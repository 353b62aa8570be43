import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLimiter } from '../../src/runtime/limiter.js'

const limiter = suite('limiter')

/** Starts calls that end one by one, and tells which have begun. */
function startCalls(urgentMore?: number) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const { run } = createLimiter({ atOnce: 1, urgentMore, refuse: () => new Error('busy') })
  return {
    begun,
    call: (name: string, isUrgent = false) =>
      run(
        () => {
          begun.push(name)
          return new Promise<void>((end) => ends.set(name, end))
        },
        { isUrgent },
      ),
    /** Ends a call, after the calls so far had their turn. */
    async end(name: string) {
      await new Promise(setImmediate)
      ends.get(name)?.()
      await new Promise(setImmediate)
    },
  }
}

limiter('gives a free slot to the urgent call that has waited longest, then to the others in order', async () => {
  const { begun, call, end } = startCalls()
  const calls = [call('a'), call('b'), call('c'), call('d', true), call('e', true)]
  for (const name of ['a', 'd', 'e', 'b', 'c']) await end(name)
  await Promise.all(calls)
  assert.equal(begun, ['a', 'd', 'e', 'b', 'c'])
})

limiter('has slots that only urgent calls get', async () => {
  const { begun, call, end } = startCalls(1)
  const calls = [call('a'), call('b'), call('c', true), call('d', true)]
  await new Promise(setImmediate)
  assert.equal(begun, ['a', 'c'])
  await end('c')
  assert.equal(begun, ['a', 'c', 'd'])
  // One call runs still: the slot that is free now is for urgent calls.
  await end('a')
  assert.equal(begun, ['a', 'c', 'd'])
  await end('d')
  assert.equal(begun, ['a', 'c', 'd', 'b'])
  await end('b')
  await Promise.all(calls)
})

limiter.run()
