import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CheckedSegment } from '../../src/payload-files/check-segment.js'
import { createQueue } from '../../src/payload-files/check-sources.js'

const queue = suite('queue of results')

const toChecked = (count: number, flagged = 0): CheckedSegment => ({
  count,
  flagged: Array.from({ length: flagged }, (_, index) => ({ index, errors: [], warnings: [] })),
  ignoring: 0,
})

/** A promise that the test resolves or rejects. */
function defer() {
  let resolve: (checked: CheckedSegment) => void = () => undefined
  let reject: (reason: Error) => void = () => undefined
  const promise = new Promise<CheckedSegment>((...settlers) => {
    ;[resolve, reject] = settlers
  })
  return { promise, resolve, reject }
}

queue('returns available results at once, and in order after one that is pending', async () => {
  const { add, expect, takeReady, takeFirst, isEmpty } = createQueue()
  const late = defer()
  add(toChecked(1))
  assert.equal([...takeReady()], [toChecked(1)])
  expect(late.promise)
  add(toChecked(3))
  add({ problem: 'Too long.' })
  assert.equal([...takeReady()], [])
  late.resolve(toChecked(2))
  assert.equal(await takeFirst(), toChecked(2))
  assert.equal([...takeReady()], [toChecked(3), { problem: 'Too long.' }])
  assert.ok(isEmpty())
})

queue('is full while too many flagged payloads wait, from this thread or others', async () => {
  const { add, expect, takeReady, takeFirst, isFull } = createQueue()
  const [first, second] = [defer(), defer()]
  expect(first.promise)
  expect(second.promise)
  add(toChecked(8000, 8000))
  assert.not.ok(isFull())
  second.resolve(toChecked(500, 500))
  await second.promise
  assert.ok(isFull())
  first.resolve(toChecked(1))
  await takeFirst()
  assert.is([...takeReady()].length, 2)
  assert.not.ok(isFull())
})

queue('is full while too many results wait', () => {
  const { add, expect, isFull } = createQueue()
  expect(defer().promise)
  for (let count = 0; count < 600 && !isFull(); count++) add(toChecked(1))
  assert.ok(isFull())
})

queue('rejects with the error of a thread when its result is next, not before', async () => {
  const { add, expect, takeReady, takeFirst } = createQueue()
  const broken = defer()
  add(toChecked(1))
  expect(broken.promise)
  broken.reject(new Error('The thread ended.'))
  assert.equal([...takeReady()], [toChecked(1)])
  const outcome = await takeFirst().catch((error: unknown) => error)
  assert.ok(outcome instanceof Error && outcome.message === 'The thread ended.')
})

queue.run()
